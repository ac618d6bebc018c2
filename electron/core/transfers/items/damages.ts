import type { Item } from './transfer-job.ts';

/** So often an object is fetched that is not what the service describes; then the user is asked. */
const mostDamages = 3;

/** Whether one more damage ends the tries of this item. */
export function isLastDamage({ damages }: Pick<Item, 'damages'>): boolean {
  return damages + 1 >= mostDamages;
}
