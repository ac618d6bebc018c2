/**
 * The groups into which maps sort objects. This file loads no schemas, because worker threads that read catalogues need only
 * these names.
 */

/** Groups by age, in months since an object's last change. */
export const ageGroups = ['month', 'quarter', 'year', 'threeYears', 'older', 'unknown'] as const;
export type AgeGroup = (typeof ageGroups)[number];

/** Groups by size, each named by its upper limit. 128 KiB is the minimum billed size of many storage classes. */
export const sizeGroups = ['16KiB', '128KiB', '1MiB', '16MiB', '128MiB', '1GiB', '16GiB', 'larger'] as const;
/** The upper limits of the size groups in bytes. The last group has no limit. */
export const sizeGroupEnds: readonly number[] = [14, 17, 20, 24, 27, 30, 34].map((power) => 2 ** power);

/** The group for further storage classes or owners, beyond the number that a map distinguishes. No service uses this name. */
export const otherNames = '\u0000others';
