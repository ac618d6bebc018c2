import { isWebAddress } from '../../../../shared/keys/address.ts';
import type { StartPlace } from '../../../../shared/models/connection.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';

/**
 * Reads `bucket`, `bucket/prefix`, `s3://bucket/prefix` and the web address of a known provider; null when no bucket is named. The
 * prefix is not changed.
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
