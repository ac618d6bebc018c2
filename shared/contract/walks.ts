import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { selectionSchema } from '../models/operations.ts';
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
 * Search and folder size: walks over everything below a prefix. The core keeps results in a table until the walk is closed;
 * clients read ranges of it. Throws `not-found`, reason `walk-gone`, for a walk that no longer exists.
 */
export const walks = {
  /** Starts a walk. `query: null` only counts and sums. The walk continues when the window closes; `stop` ends it. */
  start: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        query: walkQuerySchema.nullable(),
        /** Searches a catalogue that covers the place, if there is one, instead of asking the service. */
        fromCatalogue: z.boolean().optional(),
      }),
    )
    .output(byId),
  /** The status at once, and then as it changes, at most four times a second; ends after the last one. */
  watch: base.input(byId).output(eventIterator(walkStatusSchema)),
  /** All walks that were not closed, the oldest first. */
  list: base.output(z.array(walkStatusSchema)),
  /** The matches so far. */
  read: base.input(byId.extend({ ...range.shape, sort: walkSortSchema })).output(walkRowsSchema),
  /** The folders directly below the prefix with their totals (only walks without a query). */
  children: base
    .input(
      byId.extend({
        ...range.shape,
        sort: z.object({ by: z.enum(['prefix', 'size', 'keys']), descending: z.boolean() }),
      }),
    )
    .output(walkChildrenSchema),
  /** The matches by class and month, each with the smallest billed size of its class: for what they cost. */
  holdings: base
    .input(byId.extend({ smallest: z.array(smallestSizeSchema).max(200) }))
    .output(z.array(holdingSchema)),
  /** Ends it at once; what was found stays. */
  stop: base.input(byId).output(z.void()),
  /** Ends it and forgets what was found. */
  close: base.input(byId).output(z.void()),
  /**
   * All matches. CSV as in RFC 4180, with texts that a spreadsheet would run as a formula made harmless; or a
   * JSON array; or a manifest: no header, keys in percent-encoding.
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
  /** The same manifest of a selection: keys as they are, and every key below the prefixes, which are listed for it. */
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
