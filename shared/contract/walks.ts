import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { selectionSchema } from '../models/operations.ts';
import { maxSelectedItems } from '../models/limits.ts';
import { placeSchema } from '../models/objects.ts';
import { holdingSchema, smallestSizeSchema } from '../models/prices.ts';
import {
  exportFormatSchema,
  walkChildrenSchema,
  walkExportSchema,
  walkQuerySchema,
  walkRowsSchema,
  walkChildSortSchema,
  walkSortSchema,
  walkStatusSchema,
} from '../models/walks.ts';
import { base, rangeOf } from './base.ts';
import { inventoryReportSchema, inventorySummarySchema } from '../models/inventory.ts';
import {
  bucketTotalsSchema,
  catalogueListSchema,
  changesSchema,
  duplicatesSchema,
  foundNamesSchema,
  mapColourings,
  mapFactsSchema,
  mapFilterSchema,
  mapMeasures,
  mapRowsSchema,
  mapTreeSchema,
  mapStatusSchema,
} from '../models/map.ts';

const byWalkId = z.object({ walkId: z.string() });
const range = rangeOf(1000);

/**
 * Search and folder size, by walks that list everything below a prefix. The core keeps results in a table until the walk is
 * closed, and clients read ranges of it. Throws `not-found`, reason `walk-gone`, for a walk that no longer exists.
 */
export const walks = {
  /**
   * Starts a walk. With a null `query`, it only counts objects and adds up sizes. The walk continues when the window closes;
   * `stop` ends it.
   */
  start: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        query: walkQuerySchema.nullable(),
        /** Searches a catalogue that covers the prefix, if one exists, instead of listing the service. */
        fromCatalogue: z.boolean().optional(),
      }),
    )
    .output(byWalkId),
  /** Yields the status at once and after each change, at most four times a second. Ends after the final status. */
  watch: base.input(byWalkId).output(eventIterator(walkStatusSchema)),
  /** Returns all walks (listings for searches and sizes) that are not closed, oldest first. */
  list: base.output(z.array(walkStatusSchema)),
  /** Returns a range of the matches so far. */
  read: base.input(byWalkId.extend({ ...range, sort: walkSortSchema })).output(walkRowsSchema),
  /** Returns those of these keys that are still results, after changes of this program. */
  present: base
    .input(byWalkId.extend({ keys: z.array(z.string()).max(maxSelectedItems) }))
    .output(z.array(z.string())),
  /** Returns the folders directly below the prefix with their totals (only for walks without a query). */
  children: base.input(byWalkId.extend({ ...range, sort: walkChildSortSchema })).output(walkChildrenSchema),
  /** Returns the matches by class and month, with the minimum billed sizes applied, for cost estimates. */
  holdings: base
    .input(byWalkId.extend({ smallest: z.array(smallestSizeSchema).max(200) }))
    .output(z.array(holdingSchema)),
  /** Stops the walk at once and keeps its results. */
  stop: base.input(byWalkId).output(z.void()),
  /** Stops the walk and discards its results. */
  close: base.input(byWalkId).output(z.void()),
  /**
   * Exports all matches as CSV (RFC 4180, with texts escaped that a spreadsheet would run as formulas), as a JSON array, or as a
   * manifest for S3 Batch Operations (without a header, with percent-encoded keys).
   */
  export: base
    .input(
      byWalkId.extend({
        format: exportFormatSchema,
        sort: walkSortSchema,
        /** The title of the save dialog. */
        title: z.string().max(200),
      }),
    )
    .output(walkExportSchema),
  /** Exports a manifest for a selection, with the chosen keys and every key below the chosen prefixes. Lists these prefixes. */
  manifest: base
    .input(
      placeSchema.extend({
        /** The folder of the selection, for the file's name. */
        folder: z.string(),
        items: selectionSchema,
        title: z.string().max(200),
      }),
    )
    .output(walkExportSchema),
};

/** The location of a manifest.json: connection, bucket and key. */
const report = placeSchema.extend({ key: z.string().min(1) });

/**
 * Reports in which a service lists the content of its buckets (S3 Inventory). Cooper can read a report instead of listing the
 * bucket.
 */
export const inventory = {
  /**
   * Returns the reports of a configuration, newest first. `connectionId` and `bucket` name the bucket to which they are
   * delivered.
   */
  reports: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        sourceBucket: z.string().min(1),
        configurationId: z.string().min(1),
      }),
    )
    .output(z.array(inventoryReportSchema)),
  /** Describes a report. Throws `damaged`, reason `inventory-damaged`, for a wrong checksum or a file that is not a manifest. */
  look: base.input(report).output(inventorySummarySchema),
  /** Reads a report into the map of its bucket. `prefix` is the prefix that the report covers, or '' for the whole bucket. */
  open: base
    .input(report.extend({ prefix: z.string() }))
    .output(placeSchema.extend({ prefix: z.string(), mapId: z.string() })),
};

const byMapId = z.object({ mapId: z.string() });
/** The folder in an open map to which a call applies: the map's prefix, or a folder below it. */
const folder = byMapId.extend({ folder: z.string(), filter: mapFilterSchema });

/**
 * Maps of a bucket's content: totals for every folder, computed by a walk (a listing of all keys) and kept as a catalogue. Throws
 * `not-found`, reason `map-gone`, for a map that no longer exists.
 */
export const map = {
  /**
   * Opens the newest catalogue that covers the prefix, or starts a walk (a listing of all keys). `refresh` starts a walk even
   * with a catalogue. With `old`, only if the catalogue is older than five minutes and the walk takes at most 1000 requests.
   */
  open: base
    .input(placeSchema.extend({ prefix: z.string(), refresh: z.enum(['never', 'old', 'always']) }))
    .output(byMapId),
  /** Yields the status at once and after each change, at most four times a second. Ends when the map is closed. */
  watch: base.input(byMapId).output(eventIterator(mapStatusSchema)),
  /** Returns the largest items below a folder, as a tree of limited size. */
  tree: base
    .input(
      folder.extend({
        measure: z.enum(mapMeasures),
        colouring: z.enum(mapColourings),
        limit: z.int().min(1).max(10_000),
      }),
    )
    .output(mapTreeSchema),
  /** Returns the folders and the known objects directly in a folder. */
  rows: base
    .input(
      folder.extend({
        ...range,
        sort: z.object({
          by: z.enum(['name', 'size', 'objects', 'newest', 'kind', 'storageClass']),
          descending: z.boolean(),
        }),
      }),
    )
    .output(mapRowsSchema),
  facts: base.input(folder).output(mapFactsSchema),
  /** Returns totals by class and month for estimates, after applying minimum billed sizes (shared/pricing/cost.ts). */
  holdings: base
    .input(folder.extend({ smallest: z.array(smallestSizeSchema).max(64) }))
    .output(z.array(holdingSchema)),
  /**
   * Like `holdings`, for folders, from the newest catalogue that covers the prefix. Returns null without a catalogue. Lists
   * nothing.
   */
  holdingsOf: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        folders: z.array(z.string()).max(5000),
        smallest: z.array(smallestSizeSchema).max(64),
      }),
    )
    .output(z.object({ takenAt: z.string(), holdings: z.array(holdingSchema) }).nullable()),
  /** Returns objects of the same size and ETag. Reads the whole catalogue. */
  duplicates: base.input(byMapId.extend({ folder: z.string() })).output(duplicatesSchema),
  /** Exports the totals for all folders below a folder, as CSV or JSON. */
  export: base
    .input(
      byMapId.extend({
        folder: z.string(),
        format: exportFormatSchema.exclude(['manifest']),
        title: z.string().max(200),
      }),
    )
    .output(walkExportSchema),
  /** Stops the walk. Its result can be read until the map is closed, but is not stored as a catalogue. */
  stop: base.input(byMapId).output(z.void()),
  close: base.input(byMapId).output(z.void()),
  /** Returns the catalogues of a bucket, newest first. */
  list: base.input(placeSchema).output(catalogueListSchema),
  /** Returns the known totals of whole buckets in a connection, as of their last complete walks (listings). Sends no requests. */
  totals: base.input(z.object({ connectionId: z.string() })).output(z.array(bucketTotalsSchema)),
  /** Returns the totals of folders from the newest catalogue that contains them, or null. */
  sizes: base
    .input(placeSchema.extend({ prefix: z.string(), folders: z.array(z.string()).max(5000) }))
    .output(
      z
        .object({
          takenAt: z.string(),
          /** The totals for each folder in the input, or null for a folder that the catalogue does not contain. */
          sums: z.array(z.object({ objects: z.int(), sizeBytes: z.number() }).nullable()),
        })
        .nullable(),
    ),
  /**
   * Finds objects and folders by words of their names in the catalogues of all buckets, starting with those of `near`. Yields the
   * best matches as they improve, for at most two seconds. Sends no requests.
   */
  find: base
    .input(z.object({ text: z.string().max(1000), near: placeSchema.nullable() }))
    .output(eventIterator(foundNamesSchema)),
  /** Returns the differences between two catalogues of a bucket, below a folder. */
  changes: base
    .input(placeSchema.extend({ beforeId: z.string(), afterId: z.string(), folder: z.string() }))
    .output(changesSchema),
  /** Deletes the catalogues of a bucket, or with null those of all buckets in the connection. Changes nothing on the service. */
  forget: base.input(z.object({ connectionId: z.string(), bucket: z.string().nullable() })).output(z.void()),
  /** Returns the number of catalogues and their size on disk. */
  usage: base.output(z.object({ catalogues: z.int(), fileBytes: z.number() })),
};
