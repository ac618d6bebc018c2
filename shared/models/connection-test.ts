import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** The steps of "Test connection", in their order. */
export const testStepIds = [
  'settings',
  'name-resolves',
  'port-answers',
  'tls-holds',
  'speaks-s3',
  'clock-agrees',
  'key-accepted',
  'region-right',
  'buckets-listed',
  'first-page',
] as const;

export const testStepSchema = z.object({
  id: z.enum(testStepIds),
  state: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  /** A fact worth showing: the address found, the clock's difference, the number of buckets. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  error: z.nullable(appErrorSchema),
  durationMs: z.number().nullable(),
});

export type TestStepId = (typeof testStepIds)[number];
export type TestStep = Readonly<z.infer<typeof testStepSchema>>;
