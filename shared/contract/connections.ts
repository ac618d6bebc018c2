import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  connectionFileSchema,
  filedEntrySchema,
  testStepSchema,
  awsProfileSchema,
  connectionInputSchema,
  connectionSchema,
  sampleServiceSchema,
} from '../models/connection.ts';
import { base } from './base.ts';
import { connectionPricesSchema, priceListSchema } from '../models/prices.ts';

const byId = z.object({ connectionId: z.string() });
const fileText = z.object({ text: z.string().max(5_000_000) });

export const connections = {
  list: base.output(z.array(connectionSchema)),
  create: base.input(connectionInputSchema).output(connectionSchema),
  update: base.input(byId.extend({ input: connectionInputSchema })).output(connectionSchema),
  duplicate: base.input(byId).output(connectionSchema),
  remove: base.input(byId).output(z.void()),
  reorder: base.input(z.object({ connectionIds: z.array(z.string()) })).output(z.void()),
  /** Brings the sample buckets back into the list. */
  restoreSamples: base.output(connectionSchema),
  /** The address of the sample service for other programs, and the path of its key file, but never the keys. */
  sampleService: base.output(sampleServiceSchema),
  /** Returns all connections as the text of a file, without secrets. */
  exportFile: base.output(connectionFileSchema),
  /** Returns the contents of such a file, before importing. */
  readFile: base.input(fileText).output(z.array(filedEntrySchema)),
  importFile: base
    .input(fileText.extend({ indexes: z.array(z.int().min(0)).min(1).max(1000) }))
    .output(z.array(connectionSchema)),
  awsProfiles: base.output(z.array(awsProfileSchema)),
  /**
   * Tests the values in the form. A null secret in the input is replaced by the stored secret of `connectionId`. Yields each
   * changed step.
   */
  test: base
    .input(z.object({ connectionId: z.string().nullable(), input: connectionInputSchema }))
    .output(eventIterator(testStepSchema)),
};

const ofConnection = z.object({ connectionId: z.string().max(100) });

/** Price lists of connections. The caller computes amounts from them (shared/pricing/cost.ts). */
export const prices = {
  /** Returns a connection's prices. With `bucket`, shipped prices are those of its region, which AWS is asked for once. */
  of: base
    .input(ofConnection.extend({ bucket: z.string().max(255).optional() }))
    .output(connectionPricesSchema),
  /** Returns all lists that Cooper ships. */
  shipped: base.output(z.array(priceListSchema)),
  /**
   * Stores a price list for the connection, or removes it for null. Throws `invalid-argument`, reason `bad-price-list`, for an
   * unusable list; the message names the class and the figure.
   */
  set: base.input(ofConnection.extend({ list: priceListSchema.nullable() })).output(connectionPricesSchema),
};
