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
import { base } from './base.ts';

const started = z.object({ jobId: z.string() });

/**
 * Operations on the service's objects. All but `createFolder` are jobs of the queue, with items like a transfer's:
 * `transfers.items`, `transfers.answer` (conflicts) and `transfers.retryFailed` serve them too.
 */
export const operations = {
  /** An empty object `prefix + name + '/'`. Nothing is overwritten. */
  createFolder: base
    .input(placeSchema.extend({ prefix: z.string(), name: z.string().min(1) }))
    .output(createdFolderSchema),
  /**
   * Copies or moves. An object's new key is `to.prefix` and what its key has behind `from.basePrefix`, so that a folder
   * chosen in `basePrefix` keeps its name. Refused with invalid-argument `into-itself` where a folder would go into itself.
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
  /** A move to another last segment, within the same folder. `newName` without the `/` of a folder. */
  rename: base
    .input(
      placeSchema.extend({
        item: renamedSchema,
        newName: z.string().min(1).max(1024),
        onConflict: copyOptionsSchema.shape.onConflict,
      }),
    )
    .output(operationStartedSchema),
  delete: base
    .input(
      placeSchema.extend({
        items: selectionSchema,
        versions: z.enum(versionModes),
        /** The emptied bucket goes as well; only with the prefix ''. */
        withBucket: z.boolean().optional(),
      }),
    )
    .output(started),
  /** Properties of many objects. What it resets is said by `resetsOf(patch)`. */
  change: base
    .input(placeSchema.extend({ items: selectionSchema, patch: changePatchSchema }))
    .output(started),
  /** The next undo and redo, of the last 50 operations whose jobs are still in the queue. */
  undoState: base.output(undoStateSchema),
  /**
   * Undoes or redoes the entry named by `undoState`. Runs as a job, except for a folder that is created again. Reverts only
   * items that have not changed since, and reports each item left alone. Throws `not-found` if that entry is no longer the next
   * one.
   */
  undo: base.input(z.object({ id: z.string() })).output(undoneSchema),
};
