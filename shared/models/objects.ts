import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** One bucket of one connection. */
export const placeSchema = z.object({ connectionId: z.string(), bucket: z.string() });

const bucketSchema = z.object({
  name: z.string(),
  createdAt: z.iso.datetime().nullable(),
  /** The bucket's region, or null if the service did not report it. */
  region: z.string().nullable(),
  /**
   * `listed`: the service listed the bucket. `typed`: the user typed the unlisted name earlier. `start`: the connection starts in
   * this unlisted bucket.
   */
  source: z.enum(['listed', 'typed', 'start']),
  /** The prefix that the bucket opens at. For a bucket that the service did not list, this is the connection's start prefix. */
  startPrefix: z.string(),
});

export const bucketListSchema = z.object({
  buckets: z.array(bucketSchema),
  /** The reason why buckets could not be listed. Buckets that the user typed are still included. */
  error: z.nullable(appErrorSchema),
});

export const objectEntrySchema = z.object({
  key: z.string(),
  sizeBytes: z.number(),
  lastModified: z.string().nullable(),
  etag: z.string().nullable(),
  storageClass: z.string().nullable(),
});

export const unreadableEntrySchema = z.object({ text: z.string(), why: z.string() });

/** Listed entries outside the prefix, which are omitted and reported. */
export const foreignSchema = z.object({ count: z.int(), example: z.string().nullable() });

/**
 * Does not validate each entry: the core has just parsed them, and a second check would take longer than sending the page.
 */
const objectEntriesSchema = z.custom<z.infer<typeof objectEntrySchema>[]>((value) => Array.isArray(value));
const prefixesSchema = z.custom<string[]>((value) => Array.isArray(value));

/** One page of a folder. The folder's own placeholder object (key = prefix) is not among the objects. */
export const folderPageSchema = z.object({
  commonPrefixes: prefixesSchema,
  objects: objectEntriesSchema,
  nextPageToken: z.string().nullable(),
  /** A zero-byte object marks the folder. */
  hasPlaceholder: z.boolean(),
  /** Entries that cannot be read: the raw response, and the reason. */
  unreadable: z.array(unreadableEntrySchema),
  foreign: foreignSchema,
});

/**
 * A piece of the rest of a folder: the entries in (after, upTo], in the service's order. A null `upTo` means the folder's end.
 * `rows` holds the bytes of columns (`packed/column-bytes.ts`) in base64, since validating and parsing each value in the window
 * would take longer than listing it.
 */
export const folderRestSchema = z.discriminatedUnion('kind', [
  /** The first event: the key after which the rest begins. */
  z.object({ kind: z.literal('begins'), after: z.string() }),
  z.object({
    kind: z.literal('rows'),
    after: z.string(),
    upTo: z.string().nullable(),
    rows: z.string(),
    nextPageToken: z.string().nullable(),
  }),
  /** This service can only be listed page by page. The pieces sent so far must be discarded. */
  z.object({ kind: z.literal('in-turn') }),
]);

export const objectRefSchema = placeSchema.extend({ key: z.string(), versionId: z.string().optional() });

export const objectDetailsSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  contentType: z.string().nullable(),
  storageClass: z.string().nullable(),
  versionId: z.string().nullable(),
  /** The value of x-amz-server-side-encryption with its key id, or a note of a customer key. */
  encryption: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  /** Names of metadata values in an unknown text encoding. */
  unreadableMetadata: z.array(z.string()),
  /** The number of metadata values that the service stores but cannot send in headers. */
  missingMetadata: z.int(),
  headers: z.record(z.string(), z.string()),
});

export const addressesSchema = z.object({ s3Uri: z.string(), httpsUrl: z.string() });

/** The data needed to show an object of any size. `path` is a short-lived address on the bytes route. */
export const previewSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('object'),
    path: z.string(),
    sizeBytes: z.number(),
    etag: z.string().nullable(),
    lastModified: z.string().nullable(),
    contentType: z.string().nullable(),
    /** The Content-Encoding, or null if the bytes are the content itself. */
    contentEncoding: z.string().nullable(),
    storageClass: z.string().nullable(),
    /** True if the browser can play this media type from the address. */
    isPlayable: z.boolean(),
    /** The maximum size, from the settings, of a preview that has to load the whole object. */
    limitBytes: z.number(),
  }),
  z.object({ kind: z.literal('none'), why: z.enum(['off', 'empty', 'archived']) }),
]);

export type Foreign = Readonly<z.infer<typeof foreignSchema>>;
export type UnreadableEntry = Readonly<z.infer<typeof unreadableEntrySchema>>;
export type Place = Readonly<z.infer<typeof placeSchema>>;
export type BucketItem = Readonly<z.infer<typeof bucketSchema>>;
export type BucketList = Readonly<z.infer<typeof bucketListSchema>>;
export type ObjectEntry = Readonly<z.infer<typeof objectEntrySchema>>;
export type FolderPage = Readonly<z.infer<typeof folderPageSchema>>;
export type FolderRest = Readonly<z.infer<typeof folderRestSchema>>;
export type ObjectRef = Readonly<z.infer<typeof objectRefSchema>>;
export type ObjectDetails = Readonly<z.infer<typeof objectDetailsSchema>>;
export type Addresses = Readonly<z.infer<typeof addressesSchema>>;
export type Preview = Readonly<z.infer<typeof previewSchema>>;
