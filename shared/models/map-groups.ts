/**
 * The groups that maps sort objects into. This file loads no schemas, because worker threads that read a million keys need only
 * these names.
 */

/** Age groups by the month of the last change, counted from now. */
export const ageGroups = ['month', 'quarter', 'year', 'threeYears', 'older', 'unknown'] as const;
export type AgeGroup = (typeof ageGroups)[number];

/** Size groups, each named by its upper end. Many classes bill at least 128 KiB. */
export const sizeGroups = ['16KiB', '128KiB', '1MiB', '16MiB', '128MiB', '1GiB', '16GiB', 'larger'] as const;
/** The upper ends of the groups in bytes; the last group has none. */
export const sizeGroupEnds: readonly number[] = [14, 17, 20, 24, 27, 30, 34].map((power) => 2 ** power);

/** The group of storage classes and owners beyond the number a map distinguishes. No service uses such a name. */
export const otherNames = '\u0000others';
