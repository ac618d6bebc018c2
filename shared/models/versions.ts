import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { holdingSchema } from './prices.ts';
import { foreignSchema, placeSchema, unreadableEntrySchema } from './objects.ts';

/** The versioning state of a bucket. `unknown`: the service denied the request. */
export const versioningStates = ['enabled', 'suspended', 'off', 'unsupported', 'unknown'] as const;

const versionEntrySchema = z.object({
  key: z.string(),
  /** The text `null` is the id of versions written while versioning was off. */
  versionId: z.string(),
  isLatest: z.boolean(),
  isDeleteMarker: z.boolean(),
  /** Null for a delete marker. */
  sizeBytes: z.number().nullable(),
  lastModified: z.string().nullable(),
  etag: z.string().nullable(),
  storageClass: z.string().nullable(),
});

/** In the service's order: keys by their UTF-8 bytes, the newest version of a key first. */
export const versionsPageSchema = z.object({
  commonPrefixes: z.array(z.string()),
  versions: z.array(versionEntrySchema),
  /** Entries that cannot be read: the raw response, and the reason. */
  unreadable: z.array(unreadableEntrySchema),
  foreign: foreignSchema,
  nextPageToken: z.string().nullable(),
});

/** An object hidden by a delete marker. */
const deletedEntrySchema = z.object({
  key: z.string(),
  /** The id of the marker. */
  versionId: z.string(),
  /** Null if the service does not report the time. */
  deletedAt: z.string().nullable(),
  /** The size of the newest version below the marker, or null if the same page has none. */
  sizeBytes: z.number().nullable(),
});

export const deletedPageSchema = z.object({
  deleted: z.array(deletedEntrySchema),
  /** The number of versions and markers read. */
  scanned: z.int(),
  nextPageToken: z.string().nullable(),
});

export const versionRefSchema = placeSchema.extend({ key: z.string().min(1), versionId: z.string().min(1) });

/** How a version becomes the latest one again. `begun`: a job of the queue copies it. */
export const restoredVersionSchema = z.object({ how: z.enum(['begun', 'marker-deleted', 'already-latest']) });

export type Versioning = (typeof versioningStates)[number];
export type DeletedEntry = Readonly<z.infer<typeof deletedEntrySchema>>;
export type DeletedPage = Readonly<z.infer<typeof deletedPageSchema>>;
export type VersionEntry = Readonly<z.infer<typeof versionEntrySchema>>;
export type VersionsPage = Readonly<z.infer<typeof versionsPageSchema>>;
export type VersionRef = Readonly<z.infer<typeof versionRefSchema>>;
export type RestoredVersion = Readonly<z.infer<typeof restoredVersionSchema>>;

/** Billed bytes that a listing of a folder does not show. */
export const unlistedSchema = z.object({
  requests: z.int(),
  olderVersions: z.int(),
  /** The number of delete markers. They have no bytes, and AWS bills only their keys. */
  deleteMarkers: z.int(),
  uploads: z.int(),
  /** The older versions, summed as they are billed. */
  versions: z.array(holdingSchema),
  /** The stored parts of unfinished uploads, by the class of the upload. */
  parts: z.array(z.object({ storageClass: z.string(), sizeBytes: z.number() })),
  /** The reason why versions or uploads could not be counted, or null if they were. */
  refused: z.object({ versions: z.nullable(appErrorSchema), uploads: z.nullable(appErrorSchema) }),
  isComplete: z.boolean(),
});
export type Unlisted = Readonly<z.infer<typeof unlistedSchema>>;
