import type { TFunction } from 'i18next';
import { otherNames } from '../../../shared/models/map-groups.ts';

/** A storage class or an owner as it is read; those that a map does not tell apart share one name. */
export function groupText(name: string, t: TFunction): string {
  return name === otherNames ? t('common.others') : name;
}
