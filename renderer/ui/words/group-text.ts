import type { TFunction } from 'i18next';
import { otherNames } from '../../../shared/models/map-groups.ts';

/** Returns the display name for a storage class or an owner. Names that a map merges share one display name. */
export function groupText(name: string, t: TFunction): string {
  return name === otherNames ? t('common.others') : name;
}
