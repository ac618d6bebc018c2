import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { awsProfileSchema, connectionInputSchema, connectionSchema } from '../models/connection.ts';
import { testStepSchema } from '../models/connection-test.ts';
import { base } from './base.ts';

const byId = z.object({ connectionId: z.string() });

export const connections = {
  list: base.output(z.array(connectionSchema)),
  create: base.input(connectionInputSchema).output(connectionSchema),
  update: base.input(byId.extend({ input: connectionInputSchema })).output(connectionSchema),
  duplicate: base.input(byId).output(connectionSchema),
  remove: base.input(byId).output(z.void()),
  reorder: base.input(z.object({ connectionIds: z.array(z.string()) })).output(z.void()),
  /** Brings the sample buckets back into the list. */
  restoreSamples: base.output(connectionSchema),
  awsProfiles: base.output(z.array(awsProfileSchema)),
  /** Tries what the form holds; connectionId lends its stored secrets where the input has null. Yields each step as it changes. */
  test: base
    .input(z.object({ connectionId: z.string().nullable(), input: connectionInputSchema }))
    .output(eventIterator(testStepSchema)),
};
