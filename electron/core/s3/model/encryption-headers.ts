import { assertNever } from '../../../../shared/assert-never.ts';
import type { Encryption } from '../../../../shared/models/transfers.ts';

const algorithm = 'x-amz-server-side-encryption';
const kmsKey = 'x-amz-server-side-encryption-aws-kms-key-id';

/**
 * Returns the headers that request an encryption (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html). Those for
 * a customer's key are added by the client.
 */
export function encryptionHeaders(encryption: Encryption): Readonly<Record<string, string>> {
  switch (encryption.kind) {
    case 'none':
    case 'customer':
      return {};
    case 'service':
      return { [algorithm]: 'AES256' };
    case 'kms':
      return {
        [algorithm]: 'aws:kms',
        ...(encryption.keyId === null ? {} : { [kmsKey]: encryption.keyId }),
      };
    default:
      return assertNever(encryption);
  }
}

/** Returns true if the headers request encryption with a key of the service, of KMS, or of the customer. */
export function asksForEncryption(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.startsWith(algorithm));
}

/** Returns true if the headers request encryption with a key of the service (SSE-S3). */
export function isServiceKey(headers: Readonly<Record<string, string>>): boolean {
  return headers[algorithm] === 'AES256';
}

/** Returns the headers that request a bucket's default encryption (API_GetBucketEncryption); null if the bucket has none. */
export function headersOfDefault(rule: {
  readonly algorithm: string | null;
  readonly kmsKeyId: string | null;
}): Readonly<Record<string, string>> | null {
  if (rule.algorithm === null) return null;
  const keyId = rule.kmsKeyId;
  return { [algorithm]: rule.algorithm, ...(keyId === null ? {} : { [kmsKey]: keyId }) };
}
