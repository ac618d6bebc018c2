import { retryPolicies } from '../../flow/retry-policies.ts';
import type { Item } from './transfer-item.ts';

/** Returns true if one more damaged try would be the item's last. */
export function isLastDamage({ damages }: Pick<Item, 'damages'>): boolean {
  return damages + 1 >= retryPolicies.item.maxDamages;
}
