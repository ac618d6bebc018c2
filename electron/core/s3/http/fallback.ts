import { toAppError, type AppError } from '../../../../shared/errors.ts';
import { isKnownServiceCode } from '../model/service-codes.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { saysEncrypted } from './customer-key-headers.ts';
import type { Feature, ServiceMemory } from '../model/service-memory.ts';

/**
 * Returns true if the error may mean that the service does not support a header, parameter or request: 405, 501, or a 400 without
 * a known code.
 */
export function isFeatureRefusal(error: AppError): boolean {
  const { code, s3 } = error;
  if (s3 === undefined || saysEncrypted(error)) return false;
  if (s3.status === 405 || s3.status === 501 || code === 'unsupported')
    return s3.code !== 'AccessControlListNotSupported';
  // A response to HEAD has no error code.
  return s3.status === 400 && (s3.code === null || !isKnownServiceCode(s3.code));
}

/** Two requests with the same effect. The second is for services that do not support the first. */
export interface RequestWays<T> {
  readonly first: (options: RequestOptions | undefined) => Promise<T>;
  readonly second: (options: RequestOptions | undefined) => Promise<T>;
}

/**
 * Sends the first request or, if the service does not support it, the second, and remembers the result. If the first keeps
 * failing with server errors, tries the second once, and later the first again. Throws the second's error if that explains more,
 * otherwise the first's.
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
      // If both requests are refused in the same way, the feature was not the cause. The first error is thrown, unless only the
      // second has a code.
      const { code, s3 } = toAppError(again);
      const saysMore = error.s3?.code === null && s3?.code !== null;
      const isLost = code === 'network' || code === 'timeout' || code === 'server';
      throw isLost || (code === error.code && !saysMore) ? thrown : again;
    });
    memory.refuses(feature, isFailure ? 'failure' : 'refusal');
    return value;
  }
}
