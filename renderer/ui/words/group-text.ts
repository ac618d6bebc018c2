import type { TFunction } from 'i18next';
import { otherNames } from '../../../shared/models/map-groups.ts';

/** Returns the display name of a storage class or an owner. Those that a map merges share one name. */
export function groupText(name: string, t: TFunction): string {
  return name === otherNames ? t('common.others') : name;
}
