import { z } from 'zod';
import { batchTagSchema, expiryRuleSchema, newBatchSchema } from '../models/batches.ts';
import { placeSchema } from '../models/objects.ts';
import { base } from './base.ts';

/** Jobs that AWS runs over many objects (S3 Batch Operations). Each appears in the queue, which tracks its progress. */
export const batches = {
  /**
   * Stores the list of chosen object keys and submits the job. Throws `unsupported` if the provider has no batch jobs, and
   * `invalid-argument` with reason `batch-empty` (nothing chosen) or `batch-too-large` (the manifest would exceed 5 GiB).
   */
  create: base.input(newBatchSchema).output(z.object({ jobId: z.string() })),
  /** Confirms a job that waits for confirmation (needs-attention, `batch-confirm`). The service then runs it. */
  confirm: base.input(z.object({ jobId: z.string() })).output(z.void()),
  /**
   * Checks whether a lifecycle rule of the bucket expires objects with the tag. If not, also returns the configuration with an
   * added rule. Writes nothing.
   */
  expiryRule: base
    .input(placeSchema.extend({ tag: batchTagSchema, days: z.int().min(1).max(36_500) }))
    .output(expiryRuleSchema),
};
