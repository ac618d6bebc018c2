import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  addressesSchema,
  bucketListSchema,
  folderPageSchema,
  folderRestSchema,
  objectDetailsSchema,
  objectRefSchema,
  placeSchema,
  previewSchema,
} from '../models/objects.ts';
import { base } from './base.ts';
import { bucketFormSchema } from '../models/bucket-forms.ts';
import {
  bucketContentsSchema,
  bucketSectionSchema,
  newBucketSchema,
  settingsDocumentSchema,
  settingsOutcomeSchema,
  settingsProblemSchema,
} from '../models/bucket-settings.ts';
import {
  aclSchema,
  cannedAcls,
  lockSchema,
  maxReadAtOnce,
  offeredClassesSchema,
  readPropertiesSchema,
  restoreInputSchema,
  restoreResultSchema,
  setRetentionSchema,
} from '../models/properties.ts';
import { smallestSizeSchema } from '../models/prices.ts';
import {
  deletedPageSchema,
  restoredVersionSchema,
  unlistedSchema,
  versioningStates,
  versionRefSchema,
  versionsPageSchema,
} from '../models/versions.ts';
import {
  foundThumbnailSchema,
  madeThumbnailSchema,
  thumbnailObjectSchema,
  thumbnailUseSchema,
} from '../models/thumbnails.ts';
import { editPlaceSchema, editSchema, savedTextSchema } from '../models/edits.ts';
import { linkInputSchema, linkSchema } from '../models/links.ts';

export const buckets = {
  list: base.input(z.object({ connectionId: z.string() })).output(bucketListSchema),
  /** Remembers a bucket that the user typed, for connections that may not list buckets. */
  remember: base.input(placeSchema).output(z.void()),
  forget: base.input(placeSchema).output(z.void()),
};

export const objects = {
  /** Returns one page of a folder: at most 1000 entries, in the service's order (UTF-8 bytes). Spec 4.1, 4.2. */
  list: base
    .input(
      placeSchema.extend({
        /** The folder, and optionally the beginning of names in it: `photos/20` lists `photos/2023/` and `photos/2024/`. */
        prefix: z.string(),
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(folderPageSchema),
  /** Yields the rest of a folder after a page token: many pages at a time, unordered. Spec 4.1, 4.2. */
  rest: base
    .input(placeSchema.extend({ prefix: z.string(), pageToken: z.string() }))
    .output(eventIterator(folderRestSchema)),
  details: base.input(objectRefSchema).output(objectDetailsSchema),
  addresses: base.input(objectRefSchema).output(addressesSchema),
  preview: base.input(objectRefSchema).output(previewSchema),
  /** Returns the path from which the browser downloads the whole object as a file. */
  file: base.input(objectRefSchema).output(z.object({ path: z.string() })),
  /** Offers the object for one download at `bytesPath + ticket`. The window generates the ticket (128 random bits). */
  offer: base
    .input(objectRefSchema.extend({ ticket: z.string().regex(/^[A-Za-z0-9_-]{22}$/) }))
    .output(z.void()),
};

const section = placeSchema.extend({ section: bucketSectionSchema });
/** The fingerprint of the document on which the change is based, or null if it had none. */
const expected = z.string().nullable();

export const bucketSettings = {
  create: base.input(z.object({ connectionId: z.string(), bucket: newBucketSchema })).output(z.void()),
  /** Removes an empty bucket. The service refuses to remove a bucket with content. */
  remove: base.input(placeSchema).output(z.void()),
  /** Returns whether the bucket has objects, older versions and uploads, judging by one page of each listing. */
  contents: base.input(placeSchema).output(bucketContentsSchema),
  /** Returns up to 10,000 incomplete uploads of a bucket, so that they can be aborted once the user confirms. */
  uploads: base
    .input(placeSchema)
    .output(
      z.object({ uploads: z.array(z.object({ key: z.string(), uploadId: z.string() })), more: z.boolean() }),
    ),

  /** Reads the current configuration. A configuration the service lacks or denies is a state of the document, not an error. */
  read: base.input(section).output(settingsDocumentSchema),
  /** Converts a form into the text of its document. */
  compose: base.input(z.object({ form: bucketFormSchema })).output(z.object({ text: z.string() })),
  /** Returns the problems of a text, before it is sent. */
  check: base
    .input(section.omit({ connectionId: true }).extend({ text: z.string().max(1_000_000) }))
    .output(z.object({ problems: z.array(settingsProblemSchema) })),
  save: base
    .input(section.extend({ text: z.string().min(1).max(1_000_000), expected }))
    .output(settingsOutcomeSchema),
  clear: base.input(section.extend({ expected })).output(settingsOutcomeSchema),
};

/** Properties of objects. For changes that have to copy an object onto itself, see `operations.change`. */
export const properties = {
  /** Returns one result per key, in the order of the input. */
  read: base
    .input(placeSchema.extend({ keys: z.array(z.string().min(1)).min(1).max(maxReadAtOnce) }))
    .output(z.array(readPropertiesSchema)),
  /** Returns the storage classes to suggest for this service. The user may type other classes. */
  storageClasses: base.input(z.object({ connectionId: z.string() })).output(offeredClassesSchema),
  acl: base.input(objectRefSchema).output(aclSchema),
  /** Replaces all grants with a canned ACL. */
  setAcl: base.input(objectRefSchema.extend({ canned: z.enum(cannedAcls) })).output(z.void()),
  lock: base.input(objectRefSchema).output(lockSchema),
  setRetention: base.input(setRetentionSchema).output(z.void()),
  setLegalHold: base.input(objectRefSchema.extend({ on: z.boolean() })).output(z.void()),
  /** Requests readable copies of archived objects. Returns one result per key. */
  restore: base.input(restoreInputSchema).output(z.array(restoreResultSchema)),
};

/** Versions and delete markers of objects: https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html */
export const versions = {
  status: base.input(placeSchema).output(z.object({ versioning: z.enum(versioningStates) })),
  /** Returns one page of a folder or of a single object, at most 1000 entries. */
  list: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        /** The delimiter, or null for only the versions of the key that equals the prefix. */
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(versionsPageSchema),
  /**
   * Returns the delete markers that hide objects below a prefix, from one page of at most 1000 versions. Services list versions
   * by key, so the most recent deletions are only known after the last page.
   */
  deleted: base
    .input(placeSchema.extend({ prefix: z.string(), pageToken: z.string().nullable() }))
    .output(deletedPageSchema),
  /**
   * Makes a version the latest, by copying it onto the key or, under a delete marker, by deleting the marker. Keeps the previous
   * latest version. Throws `invalid-argument`, reason `too-large`, above 5 GiB.
   */
  restore: base.input(versionRefSchema).output(restoredVersionSchema),
  /**
   * Adds up older versions and the parts of unfinished uploads below a prefix, which are billed but not listed. Sends one request
   * for each 1000 versions, and at least one for each upload.
   */
  unlisted: base
    .input(placeSchema.extend({ prefix: z.string(), smallest: z.array(smallestSizeSchema).max(200) }))
    .output(eventIterator(unlistedSchema)),
  /** Deletes one version, or a delete marker, for good. */
  remove: base.input(versionRefSchema).output(z.void()),
};

/** Thumbnails of objects. A window makes them, and the core stores them on disk. */
export const thumbnails = {
  /** Returns the stored thumbnail, or the path to read the object from. Sends no request to the service. */
  find: base.input(thumbnailObjectSchema).output(foundThumbnailSchema),
  /** Stores a thumbnail, unless the object may be encrypted with a customer's key. */
  keep: base.input(madeThumbnailSchema).output(z.void()),
  use: base.output(thumbnailUseSchema),
  clear: base.output(z.void()),
};

const which = z.object({ editId: z.string() });

/**
 * Objects opened in the system's program, and texts edited in the window. Changes are announced by the app event
 * `edits-changed`.
 */
export const edits = {
  list: base.output(z.array(editSchema)),
  /**
   * Fetches the object and opens it in the system's program. Throws `unsupported` if the host or the kind of file does not permit
   * this.
   */
  open: base.input(editPlaceSchema).output(editSchema),
  /**
   * Saves a text on disk, then sends it to the bucket. The result says whether the text was sent. Rejects if it could not be saved
   * on disk.
   */
  save: base.input(savedTextSchema).output(editSchema),
  /** Resolves a conflict: replaces the object in the bucket with the local copy. */
  overwrite: base.input(which).output(z.void()),
  /** Sends a save again that failed to reach the bucket. */
  retry: base.input(which).output(z.void()),
  /** Stops watching the local copy for changes and deletes it, including unsent changes. */
  discard: base.input(which).output(z.void()),
};

export const links = {
  /**
   * Creates a URL that gives access to an object without credentials. Anyone can use the URL until it expires, so it is never
   * logged. https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
   */
  create: base.input(linkInputSchema).output(linkSchema),
};
