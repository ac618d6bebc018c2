import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { placeSchema } from '../models/objects.ts';
import {
  syncComparisons,
  syncDirections,
  syncFilterSchema,
  syncRowSchema,
  syncStatusSchema,
} from '../models/sync.ts';
import { base } from './base.ts';

const byId = z.object({ planId: z.string() });

/**
 * One-way sync between a local folder and a folder in a bucket. First makes a plan, which changes nothing. Once the user confirms
 * the plan, jobs in the queue carry it out. Throws `not-found`, reason `plan-gone`, for a plan that no longer exists.
 */
export const sync = {
  plan: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        folderHandle: z.string(),
        direction: z.enum(syncDirections),
        comparison: z.enum(syncComparisons),
        /** Upload only: whether to follow links that lead outside the folder. */
        takesLinksOut: z.boolean().default(false),
      }),
    )
    .output(byId),
  /** Yields the status at once and after each change, at most four times a second. Ends after the final status. */
  watch: base.input(byId).output(eventIterator(syncStatusSchema)),
  /** Returns rows in key order. */
  read: base
    .input(
      byId.extend({
        filter: syncFilterSchema,
        offset: z.int().min(0),
        limit: z.int().min(1).max(1000),
      }),
    )
    .output(z.object({ rows: z.array(syncRowSchema), total: z.int() })),
  /** Stops planning at once. The rows found so far can still be read, but the plan cannot run. */
  stop: base.input(byId).output(z.void()),
  /**
   * Runs the plan, once. With deletions, `confirmCount` is the number of deletions that the user confirmed. Throws
   * `invalid-argument`, reason `count-differs`, if the plan has another number.
   */
  run: base
    .input(byId.extend({ withDeletions: z.boolean(), confirmCount: z.int().min(0) }))
    .output(z.object({ jobIds: z.array(z.string()) })),
  close: base.input(byId).output(z.void()),
};
