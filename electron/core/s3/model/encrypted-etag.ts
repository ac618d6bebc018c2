/**
 * Returns true if the headers are those of an object encrypted with KMS or a customer's key. Its ETag looks like an MD5 but is
 * none (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html,
 * https://cloud.google.com/storage/docs/hashes-etags#etags).
 */
export function etagHidesMd5(headers: Readonly<Record<string, string>>): boolean {
  return (
    (headers['x-amz-server-side-encryption'] ?? '').startsWith('aws:kms') ||
    headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined ||
    headers['x-goog-encryption-kms-key-name'] !== undefined ||
    headers['x-goog-encryption-algorithm'] !== undefined
  );
}
