import { z } from 'zod';
import { connectionPricesSchema, priceListSchema } from '../models/prices.ts';
import { base } from './base.ts';

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
