import { z } from 'zod';
import { maxDraggedObjects } from '../models/drag-limits.ts';
import { customerKeyNameSchema } from '../models/customer-keys.ts';
import {
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
import { base } from './base.ts';

const created = z.object({ jobId: z.string() });

export const transfers = {
  /** Uploads files and folders, by their handles, below a prefix ('' or ending in `/`), as a job of the queue. */
  upload: base
    .input(
      z.object({
        connectionId: z.string(),
        bucket: z.string(),
        prefix: z.string(),
        fileHandles: z.array(z.string()).min(1).max(10_000),
        options: uploadOptionsSchema,
      }),
    )
    .output(created),
  /** Downloads objects and whole prefixes into a local folder, as a job of the queue. */
  download: base
    .input(
      z.object({
        connectionId: z.string(),
        bucket: z.string(),
        /** The folder in which the items were chosen. Local names are relative to it. */
        basePrefix: z.string(),
        items: z.array(downloadItemSchema).min(1).max(10_000),
        folderHandle: z.string(),
        options: downloadOptionsSchema,
      }),
    )
    .output(created),
  /**
   * Downloads objects into a folder of the program, from which they can be dragged out. Runs as a job in the queue. Desktop host
   * only.
   */
  fetchForDrag: base
    .input(
      z.object({
        connectionId: z.string(),
        bucket: z.string(),
        basePrefix: z.string(),
        keys: z.array(z.string().min(1)).min(1).max(maxDraggedObjects),
      }),
    )
    .output(created),
  /** Returns the items of a transfer, in order. */
  items: base
    .input(
      z.object({
        jobId: z.string(),
        filter: itemFilterSchema,
        offset: z.int().min(0),
        limit: z.int().min(1).max(1000),
      }),
    )
    .output(z.object({ items: z.array(transferItemSchema), total: z.int() })),
  /** Returns the parts that would stay stored if the upload were cancelled now. */
  storedParts: base.input(created).output(storedPartsSchema),
  /**
   * Cancels an upload and aborts its multipart uploads. `kept` is the number that could not be aborted, which remain among the
   * stalled uploads.
   */
  cancelAndDeleteParts: base.input(created).output(z.object({ kept: z.int() })),
  /** Applies the user's decisions about conflicts: items whose target already exists. */
  answer: base
    .input(z.object({ jobId: z.string(), decisions: z.array(decisionSchema).min(1).max(1000) }))
    .output(z.void()),
  /** Compares the contents of both sides of a conflict by their digests. Reads the local file to compute its digest. */
  compare: base.input(z.object({ jobId: z.string(), seq: z.int() })).output(z.enum(comparisons)),
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
  reveal: base.input(z.object({ jobId: z.string() })).output(z.void()),
  /** Starts a system drag of a download's result, in response to a drag in the window. Desktop host only. */
  dragOut: base.input(z.object({ jobId: z.string() })).output(z.void()),
  /** Saves a download that failed verification on every attempt, under a name that marks it as unverified. */
  keepUnverified: base.input(z.object({ jobId: z.string(), seq: z.int() })).output(z.void()),
  /** Exports the result of each item of a job as a CSV file. */
  report: base
    .input(z.object({ jobId: z.string(), format: csvFormatSchema, title: z.string().max(200) }))
    .output(walkExportSchema),
  retryFailed: base.input(z.object({ jobId: z.string() })).output(z.void()),
};
