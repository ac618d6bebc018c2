import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { selectionSchema } from '../models/operations.ts';
import { maxSelectedItems } from '../models/selection-limit.ts';
import { placeSchema } from '../models/objects.ts';
import { holdingSchema, smallestSizeSchema } from '../models/prices.ts';
import {
  exportFormatSchema,
  walkChildrenSchema,
  walkExportSchema,
  walkQuerySchema,
  walkRowsSchema,
  walkSortSchema,
  walkStatusSchema,
} from '../models/walks.ts';
import { base } from './base.ts';

const byId = z.object({ walkId: z.string() });
const range = z.object({ offset: z.int().min(0), limit: z.int().min(1).max(1000) });

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
    .output(byId),
  /** Yields the status at once and after each change, at most four times a second. Ends after the final status. */
  watch: base.input(byId).output(eventIterator(walkStatusSchema)),
  /** Returns all walks (listings for searches and sizes) that are not closed, oldest first. */
  list: base.output(z.array(walkStatusSchema)),
  /** Returns a range of the matches so far. */
  read: base.input(byId.extend({ ...range.shape, sort: walkSortSchema })).output(walkRowsSchema),
  /** Returns those of these keys that are still results, after changes of this program. */
  present: base
    .input(byId.extend({ keys: z.array(z.string()).max(maxSelectedItems) }))
    .output(z.array(z.string())),
  /** Returns the folders directly below the prefix with their totals (only for walks without a query). */
  children: base
    .input(
      byId.extend({
        ...range.shape,
        sort: z.object({ by: z.enum(['prefix', 'size', 'keys']), descending: z.boolean() }),
      }),
    )
    .output(walkChildrenSchema),
  /** Returns the matches by class and month, with the minimum billed sizes applied, for cost estimates. */
  holdings: base
    .input(byId.extend({ smallest: z.array(smallestSizeSchema).max(200) }))
    .output(z.array(holdingSchema)),
  /** Stops the walk at once and keeps its results. */
  stop: base.input(byId).output(z.void()),
  /** Stops the walk and discards its results. */
  close: base.input(byId).output(z.void()),
  /**
   * Exports all matches as CSV (RFC 4180, with texts escaped that a spreadsheet would run as formulas), as a JSON array, or as a
   * manifest for S3 Batch Operations (without a header, with percent-encoded keys).
   */
  export: base
    .input(
      byId.extend({
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
