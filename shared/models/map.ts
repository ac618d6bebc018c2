import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { fileKinds } from '../keys/file-kind.ts';
import { reportProgressSchema } from './inventory.ts';
import { ageGroups } from './map-groups.ts';
import { foreignSchema, objectEntrySchema } from './objects.ts';
import { walkStates } from './walks.ts';

const ageGroupSchema = z.enum(ageGroups);

/** The conditions that an object must meet to be counted, all of them. Null means no condition. */
export const mapFilterSchema = z.object({
  kinds: z.array(z.enum(fileKinds)).nullable(),
  storageClasses: z.array(z.string().max(100)).max(64).nullable(),
  ages: z.array(ageGroupSchema).nullable(),
});

export const everyKind: Readonly<z.infer<typeof mapFilterSchema>> = {
  kinds: null,
  storageClasses: null,
  ages: null,
};

export const mapMeasures = ['size', 'objects'] as const;
export const mapColourings = ['folder', 'kind', 'age', 'storageClass'] as const;

/**
 * The state of storing a walk's result as a catalogue. `off` means disabled in the settings, and `too-large` over the configured
 * limit.
 */
const keptStates = ['pending', 'kept', 'off', 'too-large', 'failed'] as const;

/** The progress of a walk (a listing of all keys) for a map. */
const mapWalkSchema = z.object({
  state: z.enum(walkStates),
  startedAt: z.string(),
  durationMs: z.number(),
  keys: z.int(),
  sizeBytes: z.number(),
  requests: z.int(),
  isSequential: z.boolean(),
  foreign: foreignSchema,
  error: z.nullable(appErrorSchema),
  /** The progress of reading a report (S3 Inventory), or null if the keys come from the service itself. */
  report: reportProgressSchema.nullable(),
});

/** The source of keys: listing the service, or a report of the service (S3 Inventory). */
const catalogueSources = ['walk', 'inventory'] as const;

export const mapStatusSchema = z.object({
  mapId: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  /** '' for the whole bucket. */
  prefix: z.string(),
  /** Changes whenever the sums change. */
  revision: z.int(),
  /**
   * The source of the totals. They come from the running walk and still grow, or from a catalogue that was complete at `takenAt`.
   */
  source: z.enum(['walk', 'catalogue']),
  takenAt: z.string(),
  /** The source of the keys, for this walk or for the catalogue. */
  origin: z.enum(catalogueSources),
  /** True if everything below the prefix is included. */
  isComplete: z.boolean(),
  objects: z.int(),
  sizeBytes: z.number(),
  folders: z.int(),
  /** The current walk, or the last walk since the program started. */
  walk: mapWalkSchema.nullable(),
  kept: z.enum(keptStates),
});

/**
 * The kinds of map nodes. `files` combines the other objects in a folder, and `smaller` the folders and objects too small to
 * show.
 */
const mapNodeKinds = ['folder', 'object', 'files', 'smaller'] as const;

const mapNodeSchema = z.object({
  /** The index of the parent node, or -1 for the first node. */
  parent: z.int(),
  kind: z.enum(mapNodeKinds),
  /** Set for folders and objects. */
  name: z.string(),
  sizeBytes: z.number(),
  objects: z.int(),
  /** The value of the chosen colouring that most of the node's bytes have, or '' when coloured by folder. */
  group: z.string(),
  /** ISO 8601, or null if the service reports no time. */
  newest: z.string().nullable(),
});

export const mapTreeSchema = z.object({
  revision: z.int(),
  /** Parents come before their children. Empty if the folder is empty. */
  nodes: z.array(mapNodeSchema),
});

const mapSumSchema = z.object({ name: z.string(), objects: z.int(), sizeBytes: z.number() });

/** A row of the map's table: a folder or an object directly in the folder. */
const mapRowSchema = z.object({
  kind: z.enum(['folder', 'object']),
  name: z.string(),
  sizeBytes: z.number(),
  objects: z.int(),
  newest: z.string().nullable(),
  /** The kind that most of its bytes have. */
  fileKind: z.enum(fileKinds),
  storageClass: z.string(),
});

export const mapRowsSchema = z.object({
  rows: z.array(mapRowSchema),
  total: z.int(),
  /** The folder's objects without a row, since a map keeps only the largest objects by name. */
  unnamed: z.object({ objects: z.int(), sizeBytes: z.number() }),
});

export const mapFactsSchema = z.object({
  revision: z.int(),
  objects: z.int(),
  sizeBytes: z.number(),
  folders: z.int(),
  byKind: z.array(mapSumSchema),
  byStorageClass: z.array(mapSumSchema),
  byAge: z.array(mapSumSchema),
  /** In the order of `sizeGroups`. */
  bySize: z.array(mapSumSchema),
  /** The name is '' if the service does not report an owner. */
  byOwner: z.array(mapSumSchema),
  /** Totals by month (`2026-01`), in order, with '' for objects without a time. Months without objects are omitted. */
  byMonth: z.array(mapSumSchema),
  largest: z.array(objectEntrySchema),
  oldest: z.array(objectEntrySchema),
  /** Set if the folder has more objects than listed above: the number of objects that the whole map knows by name. */
  largestOf: z.int().nullable(),
  oldestOf: z.int().nullable(),
  /** Empty folders, which exist only as placeholder objects. */
  emptyFolders: z.object({ total: z.int(), examples: z.array(z.string()) }),
});

const duplicateGroupSchema = z.object({
  sizeBytes: z.number(),
  copies: z.int(),
  /** At most 20 keys. */
  keys: z.array(z.string()),
});

export const duplicatesSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('found'),
    takenAt: z.string(),
    /** The number of all groups, including those that are not listed. */
    groups: z.int(),
    extraCopies: z.int(),
    extraBytes: z.number(),
    /** False if only the largest objects were compared, since memory was not enough for all. */
    isExact: z.boolean(),
    largest: z.array(duplicateGroupSchema),
  }),
  /** The keys were not stored, so nothing can be compared. */
  z.object({ kind: z.literal('no-catalogue') }),
]);

/** Totals at one time. */
const datedTotalsSchema = z.object({ takenAt: z.string(), objects: z.int(), sizeBytes: z.number() });

const storedCatalogueSchema = datedTotalsSchema.extend({
  catalogueId: z.string(),
  prefix: z.string(),
  fileBytes: z.number(),
  /** The number of list requests needed to rebuild the catalogue. */
  requests: z.int(),
  source: z.enum(catalogueSources),
});

/** Totals of a bucket at one time. Stored longer than the catalogues. */
const growthPointSchema = datedTotalsSchema.extend({ prefix: z.string() });

/** The newest totals of a whole bucket. */
export const bucketTotalsSchema = datedTotalsSchema.extend({ bucket: z.string() });

export const catalogueListSchema = z.object({
  catalogues: z.array(storedCatalogueSchema),
  growth: z.array(growthPointSchema),
});

const changeKinds = ['added', 'removed', 'changed'] as const;

const changeSumsSchema = z.object({
  addedObjects: z.int(),
  addedBytes: z.number(),
  removedObjects: z.int(),
  removedBytes: z.number(),
  changedObjects: z.int(),
  /** The growth of changed objects in bytes, which is negative if they shrank. */
  changedBytes: z.number(),
});

const folderChangeSchema = changeSumsSchema.extend({
  /** The folder relative to the requested folder, or '' for objects directly in it. */
  name: z.string(),
});

const objectChangeSchema = z.object({
  kind: z.enum(changeKinds),
  key: z.string(),
  beforeBytes: z.number().nullable(),
  afterBytes: z.number().nullable(),
});

export const changesSchema = z.object({
  total: changeSumsSchema,
  /** The changed folders directly below with the most changed bytes, of `folderCount`. */
  folders: z.array(folderChangeSchema),
  folderCount: z.int(),
  /** The changed objects with the most bytes. */
  objects: z.array(objectChangeSchema),
});

/** An object or a folder found by its name. */
const foundNameSchema = z.object({
  connectionId: z.string(),
  bucket: z.string(),
  /** A folder ends in `/`. */
  key: z.string(),
  /** Null for a folder. */
  sizeBytes: z.number().nullable(),
  modified: z.string().nullable(),
  /** How well the name matches: 0 is best. */
  rank: z.int(),
});

export const foundNamesSchema = z.object({
  /** The best matches so far, best first. */
  found: z.array(foundNameSchema),
  /** True for the last result, when all catalogues were searched or the time is up. */
  isOver: z.boolean(),
});

export type FoundName = Readonly<z.infer<typeof foundNameSchema>>;
export type FoundNames = Readonly<z.infer<typeof foundNamesSchema>>;
export type MapFilter = Readonly<z.infer<typeof mapFilterSchema>>;
export type CatalogueSource = (typeof catalogueSources)[number];
export type MapMeasure = (typeof mapMeasures)[number];
export type MapColouring = (typeof mapColourings)[number];
export type KeptState = (typeof keptStates)[number];
export type MapStatus = Readonly<z.infer<typeof mapStatusSchema>>;
export type MapWalk = Readonly<z.infer<typeof mapWalkSchema>>;
export type MapNode = Readonly<z.infer<typeof mapNodeSchema>>;
export type MapTree = Readonly<z.infer<typeof mapTreeSchema>>;
export type MapSum = Readonly<z.infer<typeof mapSumSchema>>;
export type MapRow = Readonly<z.infer<typeof mapRowSchema>>;
export type MapRows = Readonly<z.infer<typeof mapRowsSchema>>;
export type MapFacts = Readonly<z.infer<typeof mapFactsSchema>>;
export type Duplicates = Readonly<z.infer<typeof duplicatesSchema>>;
export type DuplicateGroup = Readonly<z.infer<typeof duplicateGroupSchema>>;
export type StoredCatalogue = Readonly<z.infer<typeof storedCatalogueSchema>>;
export type GrowthPoint = Readonly<z.infer<typeof growthPointSchema>>;
export type BucketTotals = Readonly<z.infer<typeof bucketTotalsSchema>>;
export type CatalogueList = Readonly<z.infer<typeof catalogueListSchema>>;
export type ChangeSums = Readonly<z.infer<typeof changeSumsSchema>>;
export type FolderChange = Readonly<z.infer<typeof folderChangeSchema>>;
export type ObjectChange = Readonly<z.infer<typeof objectChangeSchema>>;
export type Changes = Readonly<z.infer<typeof changesSchema>>;
