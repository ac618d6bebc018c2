import { z } from 'zod';
import { connectionPricesSchema, priceListSchema } from '../models/prices.ts';
import { base } from './base.ts';

const ofConnection = z.object({ connectionId: z.string().max(100) });

/** Price lists of connections. The caller computes amounts from them (shared/pricing/cost.ts). */
export const prices = {
  of: base.input(ofConnection).output(connectionPricesSchema),
  /** All lists that Cooper ships. */
  shipped: base.output(z.array(priceListSchema)),
  /**
   * Keeps a list of the connection's own; null removes it. A list that cannot be used: `invalid-argument`, reason `bad-price-list`,
   * and the message names the class and the figure.
   */
  set: base.input(ofConnection.extend({ list: priceListSchema.nullable() })).output(connectionPricesSchema),
};
