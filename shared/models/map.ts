import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { fileKinds } from '../keys/file-kind.ts';
import { reportProgressSchema } from './inventory.ts';
import { ageGroups } from './map-groups.ts';
import { foreignSchema, objectEntrySchema } from './objects.ts';
import { walkStates } from './walks.ts';

export const ageGroupSchema = z.enum(ageGroups);

/** Which objects count; null: all of them. All conditions hold together. */
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

/** Tells whether a walk's result was kept. `off`: disabled in the settings; `too-large`: over the configured limit. */
export const keptStates = ['pending', 'kept', 'off', 'too-large', 'failed'] as const;

/** The progress of a walk over all keys for a map. */
export const surveyWalkSchema = z.object({
  state: z.enum(walkStates),
  startedAt: z.string(),
  durationMs: z.number(),
  keys: z.int(),
  sizeBytes: z.number(),
  requests: z.int(),
  isSequential: z.boolean(),
  foreign: foreignSchema,
  error: z.nullable(appErrorSchema),
  /** It reads a report that the service made; null: it lists the service. */
  report: reportProgressSchema.nullable(),
});

/** The source of keys: listing the service, or a report of the service (S3 Inventory). */
export const catalogueSources = ['walk', 'inventory'] as const;

export const surveyStatusSchema = z.object({
  surveyId: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  /** '' for the whole bucket. */
  prefix: z.string(),
  /** Another number after each change of the sums. */
  revision: z.int(),
  /** The source of the sums: the running walk (they grow), or one that ended at this time. */
  source: z.enum(['walk', 'catalogue']),
  takenAt: z.string(),
  /** The source of the keys, whether they were read now or when the catalogue was made. */
  origin: z.enum(catalogueSources),
  /** Nothing below the prefix is missing. */
  isComplete: z.boolean(),
  objects: z.int(),
  sizeBytes: z.number(),
  folders: z.int(),
  /** The walk that runs, or the last one of this run of the program. */
  walk: surveyWalkSchema.nullable(),
  kept: z.enum(keptStates),
});

/** The kind of a node of a map. `files`: objects of a folder without a node; `smaller`: folders and objects too small for one. */
export const mapNodeKinds = ['folder', 'object', 'files', 'smaller'] as const;

export const mapNodeSchema = z.object({
  /** The index of its parent node; -1 for the first one. */
  parent: z.int(),
  kind: z.enum(mapNodeKinds),
  /** Set for folders and objects. */
  name: z.string(),
  sizeBytes: z.number(),
  objects: z.int(),
  /** Its dominant value for the chosen colouring; '' for folders by folder. */
  group: z.string(),
  /** ISO 8601; null: not reported. */
  newest: z.string().nullable(),
});

export const mapTreeSchema = z.object({
  revision: z.int(),
  /** Parents come before their children. Empty if the folder is empty. */
  nodes: z.array(mapNodeSchema),
});

export const mapSumSchema = z.object({ name: z.string(), objects: z.int(), sizeBytes: z.number() });

/** A row of the map's table: a folder or an object directly in the folder. */
export const mapRowSchema = z.object({
  kind: z.enum(['folder', 'object']),
  name: z.string(),
  sizeBytes: z.number(),
  objects: z.int(),
  newest: z.string().nullable(),
  /** Its dominant value. */
  fileKind: z.enum(fileKinds),
  storageClass: z.string(),
});

export const mapRowsSchema = z.object({
  rows: z.array(mapRowSchema),
  total: z.int(),
  /** Objects of the folder that have no row, since only the largest ones of all are known by name. */
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
  /** '': the service does not say. */
  byOwner: z.array(mapSumSchema),
  /** `2026-01`, in order; '' where there is no time. Months without objects are left out. */
  byMonth: z.array(mapSumSchema),
  largest: z.array(objectEntrySchema),
  oldest: z.array(objectEntrySchema),
  /** Not null: a map names so many objects, whatever their folders, and this folder has more than those of them above. */
  largestOf: z.int().nullable(),
  oldestOf: z.int().nullable(),
  /** Placeholders of folders that are otherwise empty. */
  emptyFolders: z.object({ total: z.int(), examples: z.array(z.string()) }),
});

export const duplicateGroupSchema = z.object({
  sizeBytes: z.number(),
  copies: z.int(),
  /** At most 20 of them. */
  keys: z.array(z.string()),
});

export const duplicatesSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('found'),
    takenAt: z.string(),
    /** All of them, not those of the listed groups alone. */
    groups: z.int(),
    extraCopies: z.int(),
    extraBytes: z.number(),
    /** False: there was no room to compare all; those that differ least often were compared. */
    isExact: z.boolean(),
    largest: z.array(duplicateGroupSchema),
  }),
  /** Nothing is kept of the keys, so there is nothing to compare. */
  z.object({ kind: z.literal('no-catalogue') }),
]);

export const keptCatalogueSchema = z.object({
  catalogueId: z.string(),
  prefix: z.string(),
  takenAt: z.string(),
  objects: z.int(),
  sizeBytes: z.number(),
  fileBytes: z.number(),
  /** How many list requests rebuilding the catalogue takes. */
  requests: z.int(),
  source: z.enum(catalogueSources),
});

/** Totals of a bucket at a time; they are kept longer than the catalogues. */
export const growthPointSchema = z.object({
  prefix: z.string(),
  takenAt: z.string(),
  objects: z.int(),
  sizeBytes: z.number(),
});

/** The newest totals of a whole bucket. */
export const bucketTotalsSchema = z.object({
  bucket: z.string(),
  takenAt: z.string(),
  objects: z.int(),
  sizeBytes: z.number(),
});

export const catalogueListSchema = z.object({
  catalogues: z.array(keptCatalogueSchema),
  growth: z.array(growthPointSchema),
});

export const changeKinds = ['added', 'removed', 'changed'] as const;

const changeSumsSchema = z.object({
  addedObjects: z.int(),
  addedBytes: z.number(),
  removedObjects: z.int(),
  removedBytes: z.number(),
  changedObjects: z.int(),
  /** How much larger what was changed became; below 0: smaller. */
  changedBytes: z.number(),
});

export const folderChangeSchema = changeSumsSchema.extend({
  /** Relative to the folder that was asked for; '' for the objects in it. */
  name: z.string(),
});

export const objectChangeSchema = z.object({
  kind: z.enum(changeKinds),
  key: z.string(),
  beforeBytes: z.number().nullable(),
  afterBytes: z.number().nullable(),
});

export const changesSchema = z.object({
  total: changeSumsSchema,
  /** Folders directly below that differ, the most bytes first. */
  folders: z.array(folderChangeSchema),
  folderCount: z.int(),
  /** The objects with the most bytes. */
  objects: z.array(objectChangeSchema),
});

export type MapFilter = Readonly<z.infer<typeof mapFilterSchema>>;
export type CatalogueSource = (typeof catalogueSources)[number];
export type MapMeasure = (typeof mapMeasures)[number];
export type MapColouring = (typeof mapColourings)[number];
export type KeptState = (typeof keptStates)[number];
export type SurveyStatus = Readonly<z.infer<typeof surveyStatusSchema>>;
export type SurveyWalk = Readonly<z.infer<typeof surveyWalkSchema>>;
export type MapNodeKind = (typeof mapNodeKinds)[number];
export type MapNode = Readonly<z.infer<typeof mapNodeSchema>>;
export type MapTree = Readonly<z.infer<typeof mapTreeSchema>>;
export type MapSum = Readonly<z.infer<typeof mapSumSchema>>;
export type MapRow = Readonly<z.infer<typeof mapRowSchema>>;
export type MapRows = Readonly<z.infer<typeof mapRowsSchema>>;
export type MapFacts = Readonly<z.infer<typeof mapFactsSchema>>;
export type Duplicates = Readonly<z.infer<typeof duplicatesSchema>>;
export type DuplicateGroup = Readonly<z.infer<typeof duplicateGroupSchema>>;
export type KeptCatalogue = Readonly<z.infer<typeof keptCatalogueSchema>>;
export type GrowthPoint = Readonly<z.infer<typeof growthPointSchema>>;
export type BucketTotals = Readonly<z.infer<typeof bucketTotalsSchema>>;
export type CatalogueList = Readonly<z.infer<typeof catalogueListSchema>>;
export type ChangeSums = Readonly<z.infer<typeof changeSumsSchema>>;
export type FolderChange = Readonly<z.infer<typeof folderChangeSchema>>;
export type ObjectChange = Readonly<z.infer<typeof objectChangeSchema>>;
export type Changes = Readonly<z.infer<typeof changesSchema>>;
