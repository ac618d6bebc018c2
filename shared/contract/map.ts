import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  bucketTotalsSchema,
  catalogueListSchema,
  changesSchema,
  duplicatesSchema,
  mapColourings,
  mapFactsSchema,
  mapFilterSchema,
  mapMeasures,
  mapRowsSchema,
  mapTreeSchema,
  surveyStatusSchema,
} from '../models/map.ts';
import { holdingSchema, smallestSizeSchema } from '../models/prices.ts';
import { placeSchema } from '../models/objects.ts';
import { walkExportSchema } from '../models/walks.ts';
import { base } from './base.ts';

const byId = z.object({ surveyId: z.string() });
/** The folder that is looked at: the survey's prefix, or one below it. */
const folder = byId.extend({ folder: z.string(), filter: mapFilterSchema });

/**
 * Maps of what a bucket holds: sums for every folder, computed by a walk over all keys and kept as a catalogue. Throws
 * `not-found`, reason `survey-gone`, for a survey that no longer exists.
 */
export const map = {
  /**
   * Opens the newest catalogue that covers the place, or starts a walk. `refresh` starts a walk even if a catalogue exists:
   * `old` only if the catalogue is older than five minutes and the walk takes at most 1000 requests.
   */
  open: base
    .input(placeSchema.extend({ prefix: z.string(), refresh: z.enum(['never', 'old', 'always']) }))
    .output(byId),
  /** The status at once, and then as it changes, at most four times a second. It ends when the survey is closed. */
  watch: base.input(byId).output(eventIterator(surveyStatusSchema)),
  /** The largest items below a folder, at most this many nodes. */
  tree: base
    .input(
      folder.extend({
        measure: z.enum(mapMeasures),
        colouring: z.enum(mapColourings),
        limit: z.int().min(1).max(10_000),
      }),
    )
    .output(mapTreeSchema),
  /** The folders and the known objects directly in a folder. */
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
  /** By class and month, with the smallest billed sizes: what a price list needs (shared/pricing/cost.ts). */
  holdings: base
    .input(folder.extend({ smallest: z.array(smallestSizeSchema).max(64) }))
    .output(z.array(holdingSchema)),
  /** The same of folders, by the newest catalogue that holds the prefix; null: there is none. Nothing is listed for it. */
  holdingsOf: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        folders: z.array(z.string()).max(5000),
        smallest: z.array(smallestSizeSchema).max(64),
      }),
    )
    .output(z.object({ takenAt: z.string(), holdings: z.array(holdingSchema) }).nullable()),
  /** Objects of the same size and ETag. Reads the whole catalogue. */
  duplicates: base.input(byId.extend({ folder: z.string() })).output(duplicatesSchema),
  /** Sums of all folders below one, as CSV or JSON. */
  export: base
    .input(byId.extend({ folder: z.string(), format: z.enum(['csv', 'json']), title: z.string().max(200) }))
    .output(walkExportSchema),
  /** Ends the walk; what it found stays until the survey is closed, and is not kept. */
  stop: base.input(byId).output(z.void()),
  close: base.input(byId).output(z.void()),
  /** The catalogues of a bucket, the newest first. */
  list: base.input(placeSchema).output(catalogueListSchema),
  /** The known totals of whole buckets of a connection, each as of its last complete walk. Sends no requests to the service. */
  totals: base.input(z.object({ connectionId: z.string() })).output(z.array(bucketTotalsSchema)),
  /** The sums of folders, from the newest catalogue that has them; null: there is none. */
  sizes: base
    .input(placeSchema.extend({ prefix: z.string(), folders: z.array(z.string()).max(5000) }))
    .output(
      z
        .object({
          takenAt: z.string(),
          /** One for each folder; null: the catalogue does not have it. */
          sums: z.array(z.object({ objects: z.int(), sizeBytes: z.number() }).nullable()),
        })
        .nullable(),
    ),
  /** The differences between two catalogues of a bucket, below a folder. */
  changes: base
    .input(placeSchema.extend({ beforeId: z.string(), afterId: z.string(), folder: z.string() }))
    .output(changesSchema),
  /** Deletes the catalogues of a bucket; null: of all buckets of the connection. Nothing on the service changes. */
  forget: base.input(z.object({ connectionId: z.string(), bucket: z.string().nullable() })).output(z.void()),
  /** How much the catalogues take on this computer. */
  usage: base.output(z.object({ catalogues: z.int(), fileBytes: z.number() })),
};
