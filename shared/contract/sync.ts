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
 * One-way sync between a local folder and a folder of a bucket. First makes a plan, which changes nothing; once the user
 * confirms it, jobs of the queue carry it out. Throws `not-found`, reason `plan-gone`, for a plan that no longer exists.
 */
export const sync = {
  plan: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        folderHandle: z.string(),
        direction: z.enum(syncDirections),
        comparison: z.enum(syncComparisons),
        /** Up: takes what links point to outside the folder. */
        takesLinksOut: z.boolean().default(false),
      }),
    )
    .output(byId),
  /** The status at once, and then as it changes, at most four times a second; ends after the last one. */
  watch: base.input(byId).output(eventIterator(syncStatusSchema)),
  /** Rows in the order of their keys. */
  read: base
    .input(
      byId.extend({
        filter: syncFilterSchema,
        offset: z.int().min(0),
        limit: z.int().min(1).max(1000),
      }),
    )
    .output(z.object({ rows: z.array(syncRowSchema), total: z.int() })),
  /** Ends the planning at once; what was found stays to be read, and cannot be run. */
  stop: base.input(byId).output(z.void()),
  /**
   * Does what the plan says. With deletions, `confirmCount` is the number of them that the user agreed to: another number
   * is refused (invalid-argument `count-differs`). A plan runs once.
   */
  run: base
    .input(byId.extend({ withDeletions: z.boolean(), confirmCount: z.int().min(0) }))
    .output(z.object({ jobIds: z.array(z.string()) })),
  close: base.input(byId).output(z.void()),
};
