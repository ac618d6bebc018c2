import { retryPolicies } from '../../flow/retry-policies.ts';
import type { Item } from './transfer-job.ts';

/** Whether one more damage ends the tries of this item. */
export function isLastDamage({ damages }: Pick<Item, 'damages'>): boolean {
  return damages + 1 >= retryPolicies.item.maxDamages;
}
