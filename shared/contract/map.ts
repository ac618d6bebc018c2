import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
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
import { holdingSchema, smallestSizeSchema } from '../models/prices.ts';
import { placeSchema } from '../models/objects.ts';
import { exportFormatSchema, walkExportSchema } from '../models/walks.ts';
import { base } from './base.ts';

const byId = z.object({ mapId: z.string() });
/** The folder in an open map to which a call applies: the map's prefix, or a folder below it. */
const folder = byId.extend({ folder: z.string(), filter: mapFilterSchema });

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
    .output(byId),
  /** Yields the status at once and after each change, at most four times a second. Ends when the map is closed. */
  watch: base.input(byId).output(eventIterator(mapStatusSchema)),
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
        offset: z.int().min(0),
        limit: z.int().min(1).max(1000),
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
  duplicates: base.input(byId.extend({ folder: z.string() })).output(duplicatesSchema),
  /** Exports the totals for all folders below a folder, as CSV or JSON. */
  export: base
    .input(
      byId.extend({
        folder: z.string(),
        format: exportFormatSchema.exclude(['manifest']),
        title: z.string().max(200),
      }),
    )
    .output(walkExportSchema),
  /** Stops the walk. Its result can be read until the map is closed, but is not stored as a catalogue. */
  stop: base.input(byId).output(z.void()),
  close: base.input(byId).output(z.void()),
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
