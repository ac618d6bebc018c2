import { z } from 'zod';
import { eventIterator } from '@orpc/contract';
import { maxDraggedObjects, maxSelectedItems } from '../models/limits.ts';
import {
  customerKeyNameSchema,
  comparisons,
  decisionSchema,
  downloadItemSchema,
  downloadOptionsSchema,
  itemFilterSchema,
  storedPartsSchema,
  transferItemSchema,
  uploadOptionsSchema,
} from '../models/transfers.ts';
import { csvFormatSchema, walkExportSchema } from '../models/walks.ts';
import { base, rangeOf } from './base.ts';
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
import { batchTagSchema, expiryRuleSchema, newBatchSchema } from '../models/batches.ts';
import {
  syncComparisons,
  syncDirections,
  syncFilterSchema,
  syncRowSchema,
  syncStatusSchema,
} from '../models/sync.ts';

const byJob = z.object({ jobId: z.string() });

export const transfers = {
  /** Uploads files and folders, by their handles, below a prefix ('' or ending in `/`), as a job of the queue. */
  upload: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        fileHandles: z.array(z.string()).min(1).max(10_000),
        options: uploadOptionsSchema,
      }),
    )
    .output(byJob),
  /** Downloads objects and whole prefixes into a local folder, as a job of the queue. */
  download: base
    .input(
      placeSchema.extend({
        /** The folder in which the items were chosen. Local names are relative to it. */
        basePrefix: z.string(),
        items: z.array(downloadItemSchema).min(1).max(10_000),
        folderHandle: z.string(),
        options: downloadOptionsSchema,
      }),
    )
    .output(byJob),
  /**
   * Downloads objects into a folder of the program, from which they can be dragged out. Runs as a job in the queue. Desktop host
   * only.
   */
  fetchForDrag: base
    .input(
      placeSchema.extend({
        basePrefix: z.string(),
        keys: z.array(z.string().min(1)).min(1).max(maxDraggedObjects),
      }),
    )
    .output(byJob),
  /** Returns the items of a transfer, in order. */
  items: base
    .input(byJob.extend({ filter: itemFilterSchema, ...rangeOf(1000) }))
    .output(z.object({ items: z.array(transferItemSchema), total: z.int() })),
  /** Returns the parts that would stay stored if the upload were cancelled now. */
  storedParts: base.input(byJob).output(storedPartsSchema),
  /**
   * Cancels an upload and aborts its multipart uploads. `kept` is the number that could not be aborted, which remain among the
   * stalled uploads.
   */
  cancelAndDeleteParts: base.input(byJob).output(z.object({ kept: z.int() })),
  /** Applies the user's decisions about conflicts: items whose target already exists. */
  answer: base.input(byJob.extend({ decisions: z.array(decisionSchema).min(1).max(1000) })).output(z.void()),
  /** Compares the contents of both sides of a conflict by their digests. Reads the local file to compute its digest. */
  compare: base.input(byJob.extend({ seq: z.int() })).output(z.enum(comparisons)),
  /** Returns the default upload options of a connection. */
  uploadDefaults: base.input(z.object({ connectionId: z.string() })).output(uploadOptionsSchema),
  setUploadDefaults: base
    .input(z.object({ connectionId: z.string(), options: uploadOptionsSchema.nullable() }))
    .output(uploadOptionsSchema),
  /** Returns the names of the user's encryption keys (SSE-C). A stored key is never returned. */
  customerKeys: base.input(z.object({ connectionId: z.string() })).output(z.array(customerKeyNameSchema)),
  addCustomerKey: base
    .input(
      z.object({
        connectionId: z.string(),
        name: z.string().trim().min(1).max(100),
        key: z.string().max(200),
        /** A bucket whose objects use the key. Writing to a bucket with the key also records that bucket. */
        bucket: z.string().min(1).max(255).optional(),
      }),
    )
    .output(customerKeyNameSchema),
  removeCustomerKey: base.input(z.object({ connectionId: z.string(), md5: z.string() })).output(z.void()),
  /** Shows the result of a download in the system's file manager. */
  reveal: base.input(byJob).output(z.void()),
  /** Starts a system drag of a download's result, in response to a drag in the window. Desktop host only. */
  dragOut: base.input(byJob).output(z.void()),
  /** Saves a download that failed verification on every attempt, under a name that marks it as unverified. */
  keepUnverified: base.input(byJob.extend({ seq: z.int() })).output(z.void()),
  /** Exports the result of each item of a job as a CSV file. */
  report: base
    .input(byJob.extend({ format: csvFormatSchema, title: z.string().max(200) }))
    .output(walkExportSchema),
  retryFailed: base.input(byJob).output(z.void()),
};

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
    .output(byJob),
  delete: base
    .input(
      placeSchema.extend({
        items: selectionSchema,
        versions: z.enum(versionModes),
        /** True to remove the emptied bucket as well. Only valid with the prefix ''. */
        withBucket: z.boolean().optional(),
      }),
    )
    .output(byJob),
  /**
   * Restores deleted objects in a versioned bucket by removing the delete markers that hide them. The version id of an item names
   * the marker to remove. For other items and for prefixes, removes the latest markers. Skips objects that exist again.
   */
  restore: base.input(placeSchema.extend({ items: selectionSchema })).output(byJob),
  /** Changes properties of many objects. `resetsOf(patch)` (shared/models/operations.ts) returns the side effects. */
  change: base.input(placeSchema.extend({ items: selectionSchema, patch: changePatchSchema })).output(byJob),
  /** Returns the next undo and redo, of the last 50 operations whose jobs are still in the queue. */
  undoState: base.output(undoStateSchema),
  /**
   * Undoes or redoes the entry named by `undoState`. Runs as a job, except for a folder that is created again. Reverts only items
   * that have not changed since, and reports each other item. Throws `not-found` if that entry is no longer the next one.
   */
  undo: base.input(z.object({ id: z.string() })).output(undoneSchema),
};

/** Jobs that AWS runs over many objects (S3 Batch Operations). Each appears in the queue, which tracks its progress. */
export const batches = {
  /**
   * Stores the list of chosen object keys and submits the job. Throws `unsupported` if the provider has no batch jobs, and
   * `invalid-argument` with reason `batch-empty` (nothing chosen) or `batch-too-large` (the manifest would exceed 5 GiB).
   */
  create: base.input(newBatchSchema).output(byJob),
  /** Confirms a job that waits for confirmation (needs-attention, `batch-confirm`). The service then runs it. */
  confirm: base.input(byJob).output(z.void()),
  /**
   * Checks whether a lifecycle rule of the bucket expires objects with the tag. If not, also returns the configuration with an
   * added rule. Writes nothing.
   */
  expiryRule: base
    .input(placeSchema.extend({ tag: batchTagSchema, days: z.int().min(1).max(36_500) }))
    .output(expiryRuleSchema),
};

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
    .input(byId.extend({ filter: syncFilterSchema, ...rangeOf(1000) }))
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
