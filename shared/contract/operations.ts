import { z } from 'zod';
import {
  changePatchSchema,
  copyOptionsSchema,
  createdFolderSchema,
  operationStartedSchema,
  renamedSchema,
  selectionSchema,
  undoneSchema,
  undoStateSchema,
  versionModes,
} from '../models/operations.ts';
import { placeSchema } from '../models/objects.ts';
import { maxSelectedItems } from '../models/selection-limit.ts';
import { base } from './base.ts';

const started = z.object({ jobId: z.string() });

/**
 * Operations on the service's objects. All except `createFolder` are jobs in the queue, whose items are like those of a transfer:
 * `transfers.items`, `transfers.answer` (conflicts) and `transfers.retryFailed` work for them too.
 */
export const operations = {
  /** Creates an empty object `prefix + name + '/'`. Overwrites nothing. */
  createFolder: base
    .input(placeSchema.extend({ prefix: z.string(), name: z.string().min(1) }))
    .output(createdFolderSchema),
  /**
   * Copies or moves objects. In each key, `to.prefix` replaces `from.basePrefix`, the folder in which the items were chosen.
   * Throws `invalid-argument`, reason `into-itself`, if the target of a folder is inside that folder.
   */
  copy: base
    .input(
      z.object({
        from: placeSchema.extend({ basePrefix: z.string() }),
        items: selectionSchema,
        to: placeSchema.extend({ prefix: z.string() }),
        options: copyOptionsSchema,
      }),
    )
    .output(operationStartedSchema),
  /** Moves an item to another name in the same folder. `newName` has no trailing `/`, even for a folder. */
  rename: base
    .input(
      placeSchema.extend({
        item: renamedSchema,
        newName: z.string().min(1).max(1024),
        onConflict: copyOptionsSchema.shape.onConflict,
      }),
    )
    .output(operationStartedSchema),
  /**
   * Renames several objects in one folder in one job. Throws `invalid-argument` for an empty name, a name with a slash, or two
   * objects with the same new name.
   */
  renameMany: base
    .input(
      placeSchema.extend({
        /** '' or ending in `/`. */
        folder: z.string(),
        names: z
          .array(z.object({ key: z.string().min(1), newName: z.string().min(1).max(1024) }))
          .min(1)
          .max(maxSelectedItems),
      }),
    )
    .output(started),
  delete: base
    .input(
      placeSchema.extend({
        items: selectionSchema,
        versions: z.enum(versionModes),
        /** True to remove the emptied bucket as well. Only valid with the prefix ''. */
        withBucket: z.boolean().optional(),
      }),
    )
    .output(started),
  /**
   * Restores deleted objects in a versioned bucket by removing the delete markers that hide them. The version id of an item names
   * the marker to remove. For other items and for prefixes, removes the latest markers. Skips objects that exist again.
   */
  restore: base.input(placeSchema.extend({ items: selectionSchema })).output(started),
  /** Changes properties of many objects. `resetsOf(patch)` (shared/models/operations.ts) returns the side effects. */
  change: base
    .input(placeSchema.extend({ items: selectionSchema, patch: changePatchSchema }))
    .output(started),
  /** Returns the next undo and redo, of the last 50 operations whose jobs are still in the queue. */
  undoState: base.output(undoStateSchema),
  /**
   * Undoes or redoes the entry named by `undoState`. Runs as a job, except for a folder that is created again. Reverts only items
   * that have not changed since, and reports each other item. Throws `not-found` if that entry is no longer the next one.
   */
  undo: base.input(z.object({ id: z.string() })).output(undoneSchema),
};
