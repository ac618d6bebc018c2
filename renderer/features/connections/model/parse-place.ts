import { isWebAddress } from '../../../../shared/keys/address.ts';
import type { StartPlace } from '../../../../shared/models/connection.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';

/**
 * Parses `bucket`, `bucket/prefix`, `s3://bucket/prefix` or the web address of a known provider. Keeps the prefix unchanged.
 * Returns null without a bucket.
 */
export function parsePlace(typed: string): StartPlace | null {
  if (isWebAddress(typed)) {
    const { bucket = null, key = '' } = readServiceAddress(typed) ?? {};
    return bucket === null ? null : { bucket, prefix: key };
  }
  const text = typed.trimStart().replace(/^s3:\/\//iu, '');
  const slash = text.indexOf('/');
  const bucket = (slash === -1 ? text : text.slice(0, slash)).trim();
  if (bucket === '') return null;
  return { bucket, prefix: slash === -1 ? '' : text.slice(slash + 1) };
}
