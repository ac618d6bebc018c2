import { AppFailure, type AppError, toAppError } from '../../../../shared/errors.ts';
import { featureOf, type ServiceMemory, type Feature } from '../model/service-memory.ts';
import type { S3Operation } from './s3-operation.ts';
import { isKnownServiceCode } from '../model/service-codes.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { saysEncrypted } from './customer-key-headers.ts';

/** The headers that a request can omit. Conditions are not among them, because the key must be checked if one is omitted. */
const optionalHeaders =
  /^(?:accept-encoding|content-md5|x-amz-checksum-.+|x-amz-request-payer|x-amz-transition-default-minimum-object-size)$/;
/** The parameters that a request can omit. Without them, pages may contain more, and names are not encoded. */
const optionalParameters = /^(?:encoding-type|fetch-owner|max-keys|max-parts|max-uploads|upload-id-marker)$/;

/** The headers with a body's checksum, or with the checksum algorithm of an upload. */
const checksumHeaders = /^x-amz-checksum-(?!mode$)/;

/** After this many consecutive failures, requests omit fields that the service has never accepted. */
const leanAfterFailures = 2;

type Fields = Readonly<Record<string, string>>;

/** The headers and the query of one request. */
export interface RequestFields {
  readonly headers: Fields;
  readonly query: Fields;
}

/**
 * Decides which optional headers and parameters a request carries. If the service refuses it (400, 405, 501, or repeatedly 5xx),
 * it is sent without them. The next response shows which ones the service supports, which is remembered.
 */
export class OptionalParts {
  readonly #memory: ServiceMemory;
  readonly #operation: Pick<S3Operation, 'name' | 'repeatable' | 'control'>;
  readonly #leftOff = new Set<string>();
  #carried: readonly string[] = [];
  #first: AppError | null = null;
  #because: 'refusal' | 'failure' = 'refusal';
  #isLean = false;

  constructor(memory: ServiceMemory, operation: Pick<S3Operation, 'name' | 'repeatable' | 'control'>) {
    this.#memory = memory;
    this.#operation = operation;
  }

  /**
   * True for requests that must carry all fields. CompleteMultipartUpload must not be sent again before its caller has checked
   * the key. AWS supports all headers of S3 Control, so its refusals have other causes.
   */
  get #mustBeWhole(): boolean {
    return this.#operation.repeatable === 'never' || this.#operation.control !== undefined;
  }

  /** Returns the fields to send in the next attempt. */
  fieldsFor(fields: RequestFields): RequestFields {
    const names = [
      ...Object.keys(fields.headers).filter((name) => optionalHeaders.test(name)),
      ...Object.keys(fields.query).filter((name) => optionalParameters.test(name)),
    ];
    if (this.#isLean) {
      const untried = names.filter((name) => this.#memory.verdictOn(this.#featureOf(name)) === null);
      this.#because = 'failure';
      this.#leaveOff(untried);
    }
    const dropped = this.#mustBeWhole
      ? []
      : names.filter((name) => this.#leftOff.has(name) || !this.#memory.allows(this.#featureOf(name)));
    this.#carried = names.filter((name) => !dropped.includes(name));
    if (dropped.length === 0) return fields;
    return { headers: without(fields.headers, dropped), query: without(fields.query, dropped) };
  }

  /** Before one of the last attempts, omits fields that the service has never accepted, because they may cause its failures. */
  beforeTry(maxTries: number): void {
    if (this.#leftOff.size > 0 || this.#mustBeWhole) return;
    // Failures are counted over all requests of the operation, because some callers distribute their attempts over several
    // requests.
    const enough = maxTries === 2 ? 1 : leanAfterFailures;
    this.#isLean = this.#memory.failuresOf(this.#operation.name) >= enough;
  }

  succeeded(): void {
    for (const name of this.#carried) this.#memory.accepts(this.#featureOf(name));
    this.#proved();
    this.#memory.succeeded(this.#operation.name);
  }

  /**
   * Decides after a refusal. Returns `again` to send the request with fewer fields, an earlier error to throw instead, or null to
   * throw this one.
   */
  refused(error: AppError): 'again' | AppFailure | null {
    if (error.code === 'server' && this.#leftOff.size === 0) this.#memory.failed(this.#operation.name);
    const checksums = this.#carried.filter((name) => checksumHeaders.test(name) && !this.#isAccepted(name));
    if (checksums.length > 0 && !this.#mustBeWhole && mayRefuseChecksum(error))
      return this.#without(error, checksums);
    // The request was refused in the same way without checksums, so these were not the cause.
    if (this.#first !== null && mayRefuseChecksum(error) && this.#first.s3?.code === error.s3?.code)
      return new AppFailure(this.#first);
    if (!isFeatureRefusal(error)) {
      // Any other error shows that the service accepted the request, so the omitted fields were the cause.
      if (error.retry !== 'backoff') this.#proved();
      return null;
    }
    const text = (error.s3?.message ?? '').toLowerCase();
    const named = this.#carried.filter((name) => text.includes(name));
    const untried = this.#carried.filter((name) => !this.#isAccepted(name));
    const suspects = [named, checksums, untried].find((names) => names.length > 0) ?? [];
    if (suspects.length === 0 || this.#mustBeWhole)
      // The request was refused without optional fields too, so the first error applies.
      return this.#first === null ? null : new AppFailure(this.#first);
    return this.#without(error, suspects);
  }

  #without(error: AppError, names: readonly string[]): 'again' {
    this.#first ??= error;
    this.#because = 'refusal';
    this.#leaveOff(names);
    return 'again';
  }

  #leaveOff(names: readonly string[]): void {
    for (const name of names) this.#leftOff.add(name);
  }

  #proved(): void {
    for (const name of this.#leftOff) this.#memory.refuses(this.#featureOf(name), this.#because);
    this.#leftOff.clear();
  }

  #isAccepted(name: string): boolean {
    return this.#memory.verdictOn(this.#featureOf(name)) === 'accepted';
  }

  #featureOf(name: string): string {
    return featureOf(this.#operation.name, name);
  }
}

/**
 * Returns true for common errors that a checksum may also cause: R2 refuses it together with Content-MD5 (aws-sdk-ruby#3174),
 * other services refuse an unknown algorithm, and gateways remove the signed header.
 */
function mayRefuseChecksum({ s3 }: AppError): boolean {
  if (s3?.code === 'SignatureDoesNotMatch') return true;
  return s3?.status === 400 && (s3.code === 'InvalidRequest' || s3.code === 'InvalidArgument');
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/**
 * Returns true if the error may mean that the service does not support a header, parameter or request: 405, 501, or a 400 without
 * a known code.
 */
function isFeatureRefusal(error: AppError): boolean {
  const { code, s3 } = error;
  if (s3 === undefined || saysEncrypted(error)) return false;
  if (s3.status === 405 || s3.status === 501 || code === 'unsupported')
    return s3.code !== 'AccessControlListNotSupported';
  // A response to HEAD has no error code.
  return s3.status === 400 && (s3.code === null || !isKnownServiceCode(s3.code));
}

/** Two requests with the same effect. The second is for services that do not support the first. */
interface RequestWays<T> {
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
