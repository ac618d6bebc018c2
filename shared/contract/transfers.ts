import { z } from 'zod';
import {
  decisionSchema,
  downloadItemSchema,
  downloadOptionsSchema,
  itemFilterSchema,
  transferItemSchema,
  uploadOptionsSchema,
} from '../models/transfers.ts';
import { base } from './base.ts';

const created = z.object({ jobId: z.string() });

export const transfers = {
  /** Files and folders, by their handles, below a prefix ('' or with its last `/`). A job of the queue. */
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
  /** Objects and whole prefixes into a local folder. A job of the queue. */
  download: base
    .input(
      z.object({
        connectionId: z.string(),
        bucket: z.string(),
        /** The folder the items were chosen in: names are kept from here on. */
        basePrefix: z.string(),
        items: z.array(downloadItemSchema).min(1).max(10_000),
        folderHandle: z.string(),
        options: downloadOptionsSchema,
      }),
    )
    .output(created),
  /** What a transfer consists of, in its order. */
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
  /** What becomes of what is there already. */
  answer: base
    .input(z.object({ jobId: z.string(), decisions: z.array(decisionSchema).min(1).max(1000) }))
    .output(z.void()),
  retryFailed: base.input(z.object({ jobId: z.string() })).output(z.void()),
};
