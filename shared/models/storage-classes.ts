/** Objects of these classes have to be restored before they can be read. */
export const archiveClasses: ReadonlySet<string> = new Set([
  'GLACIER',
  'DEEP_ARCHIVE',
  'GLACIER_FLEXIBLE_RETRIEVAL',
]);

/**
 * Each reading of objects of these classes is paid for: AWS (infrequent access and Glacier Instant Retrieval), Yandex (COLD,
 * ICE) and Google (NEARLINE, COLDLINE, ARCHIVE).
 */
export const paidClasses: ReadonlySet<string> = new Set([
  'STANDARD_IA',
  'ONEZONE_IA',
  'GLACIER_IR',
  'COLD',
  'ICE',
  'NEARLINE',
  'COLDLINE',
  'ARCHIVE',
]);
