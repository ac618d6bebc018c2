/** Objects of these classes have to be restored before they can be read. */
export const archiveClasses: ReadonlySet<string> = new Set([
  'GLACIER',
  'DEEP_ARCHIVE',
  'GLACIER_FLEXIBLE_RETRIEVAL',
]);

/** Returns true if the service bills each read of an object of this class. Such objects are read only on request. */
export function isPaidClass(storageClass: string | null): boolean {
  return paidClasses.has(storageClass ?? '');
}

/**
 * The classes whose objects cost money on each read: AWS (infrequent access and Glacier Instant Retrieval), Yandex (COLD,
 * ICE) and Google (NEARLINE, COLDLINE, ARCHIVE).
 */
const paidClasses: ReadonlySet<string> = new Set([
  'STANDARD_IA',
  'ONEZONE_IA',
  'GLACIER_IR',
  'COLD',
  'ICE',
  'NEARLINE',
  'COLDLINE',
  'ARCHIVE',
]);
