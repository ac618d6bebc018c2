import { retryPolicies } from '../../flow/retry-policies.ts';
import type { Item } from './transfer-item.ts';

/** Returns true if the item is not tried again after one more damaged try. */
export function isLastDamage({ damages }: Pick<Item, 'damages'>): boolean {
  return damages + 1 >= retryPolicies.item.maxDamages;
}
