import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { isKnownServiceCode } from '../model/service-codes.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { saysEncrypted } from './customer-key-headers.ts';
import type { Feature, ServiceMemory } from '../model/service-memory.ts';

/**
 * Returns true if a refusal may mean that the service does not support a header, a parameter or a request: 405, 501, or a 400
 * without a known error code.
 */
export function isFeatureRefusal(error: AppError): boolean {
  const { code, s3 } = error;
  if (s3 === undefined || saysEncrypted(error)) return false;
  if (s3.status === 405 || s3.status === 501 || code === 'unsupported')
    return s3.code !== 'AccessControlListNotSupported';
  // A HEAD response carries only its status.
  return s3.status === 400 && (s3.code === null || !isKnownServiceCode(s3.code));
}

/** Two alternative requests with the same effect. */
export interface RequestWays<T> {
  readonly first: (options: RequestOptions | undefined) => Promise<T>;
  readonly second: (options: RequestOptions | undefined) => Promise<T>;
}

/**
 * Sends a request that a service may not support, and if so, an alternative. The result is remembered. If the first request
 * keeps failing with server errors, the alternative is tried once, and the first one again some time later. Throws the
 * alternative's error if the service explains it, otherwise the first one.
 */
export async function withFallback<T>(
  memory: ServiceMemory,
  feature: Feature,
  options: RequestOptions | undefined,
  { first, second }: RequestWays<T>,
): Promise<T> {
  if (!memory.allows(feature)) return await second(options);
  try {
    const value = await first(options);
    memory.accepts(feature);
    return value;
  } catch (thrown) {
    const error = toAppError(thrown);
    const mayTryMore = options?.maxTries !== 1 && memory.verdictOn(feature) !== 'accepted';
    const isFailure = error.code === 'server' && error.s3 !== undefined && mayTryMore;
    if (!isFailure && !isFeatureRefusal(error)) throw thrown;
    const value = await second(isFailure ? { ...options, maxTries: 1 } : options).catch((again: unknown) => {
      // If the alternative is refused too, the request was not the cause: throw the first error, unless only the second has a
      // code.
      const { code, s3 } = toAppError(again);
      const saysMore = error.s3?.code === null && s3?.code !== null;
      const isLost = code === 'network' || code === 'timeout' || code === 'server';
      throw isLost || (code === error.code && !saysMore) ? thrown : again;
    });
    memory.refuses(feature, isFailure ? 'failure' : 'refusal');
    return value;
  }
}
