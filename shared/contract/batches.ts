import { z } from 'zod';
import { batchTagSchema, expiryRuleSchema, newBatchSchema } from '../models/batches.ts';
import { placeSchema } from '../models/objects.ts';
import { base } from './base.ts';

/** Jobs that AWS runs over many objects (S3 Batch Operations). Each appears in the queue, which tracks its progress. */
export const batches = {
  /**
   * Fixes the chosen keys, and submits the job. `unsupported`: the provider has no such jobs. invalid-argument, reason `batch-empty`:
   * nothing was chosen; `batch-too-large`: more than one manifest of 5 GiB holds.
   */
  create: base.input(newBatchSchema).output(z.object({ jobId: z.string() })),
  /** Lets a job run that waits for it (needs-attention, `batch-confirm`). */
  confirm: base.input(z.object({ jobId: z.string() })).output(z.void()),
  /**
   * Checks whether a lifecycle rule of the bucket expires objects with the tag. Returns the configuration that would; writes
   * nothing.
   */
  expiryRule: base
    .input(placeSchema.extend({ tag: batchTagSchema, days: z.int().min(1).max(36_500) }))
    .output(expiryRuleSchema),
};
