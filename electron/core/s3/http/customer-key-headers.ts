import type { CustomerKey, CustomerKeySource, NamedCustomerKey } from '../model/connection-types.ts';
import { createHash } from 'node:crypto';
import { failure, toAppError, type AppError } from '../../../../shared/errors.ts';
import { isKnownServiceCode } from '../model/service-codes.ts';
import { isThisComputer, type Origin } from './addressing.ts';

const customerKeyHeader = 'x-amz-server-side-encryption-customer-key';
const headerStart = 'x-amz-server-side-encryption-customer-';
const copyHeaderStart = 'x-amz-copy-source-server-side-encryption-customer-';
const maxKnown = 5000;

/**
 * Parses a customer's key. Its MD5 identifies it in headers, jobs and the window. Returns null unless the text is 32 bytes in
 * Base64.
 */
export function parseCustomerKey(key: string): CustomerKey | null {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.byteLength !== 32 || bytes.toString('base64') !== key) return null;
  return { key, md5: createHash('md5').update(bytes).digest('base64') };
}

/**
 * Returns the headers with a customer's key
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html).
 */
export function customerKeyHeaders(
  found: CustomerKey | null,
  of: 'object' | 'copy-source' = 'object',
): Record<string, string> {
  if (found === null) return {};
  const start = of === 'object' ? headerStart : copyHeaderStart;
  return { [`${start}algorithm`]: 'AES256', [`${start}key`]: found.key, [`${start}key-md5`]: found.md5 };
}

/** The object or upload that is encrypted with a customer's key. */
export interface KeySubject {
  readonly id: string;
  readonly bucket: string;
}

/**
 * Finds the customer's key for an object. Listings do not show which objects need one, so the bucket's keys are tried after a
 * refusal. The right key is remembered, so that later requests for the object send it at once.
 */
export interface KeyFinder {
  /**
   * Calls `work` with the key that the subject needs, or null. `candidates` are the keys to try, by default those of the bucket.
   */
  send<T>(
    subject: KeySubject,
    work: (key: CustomerKey | null) => Promise<T>,
    candidates?: readonly CustomerKey[],
  ): Promise<T>;
  /** Returns the stored key with this MD5 for a write to a bucket. Throws if it is not stored. */
  named(md5: string, bucket: string): Promise<CustomerKey>;
  remember(subject: string, key: CustomerKey): void;
  /** Remembers the key of one subject for another, for example an upload's key for the object made from it. */
  handOn(from: string, to: string): void;
}

export function createKeyFinder(
  source: CustomerKeySource | undefined,
  byDigest: NamedCustomerKey | undefined,
): KeyFinder {
  const known = new Map<string, CustomerKey>();
  const keys: CustomerKeySource = source ?? (() => Promise.resolve([]));
  const byName: NamedCustomerKey =
    byDigest ?? (async (md5, bucket) => (await keys(bucket)).find((key) => key.md5 === md5) ?? null);

  const remember = (subject: string, key: CustomerKey): void => {
    known.delete(subject);
    known.set(subject, key);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(oldest);
    }
  };

  const send: KeyFinder['send'] = async (subject, work, candidates) => {
    const before = known.get(subject.id) ?? null;
    try {
      return await work(before);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (saysEncrypted(error)) {
        for (const key of candidates ?? (await keys(subject.bucket))) {
          if (key.md5 === before?.md5) continue;
          try {
            const result = await work(key);
            remember(subject.id, key);
            return result;
          } catch (again) {
            if (!refusesKey(toAppError(again))) throw again;
          }
        }
        if (before === null) throw keyNeeded(error);
      } else if (before === null || !mayConcernKey(error)) throw thrown;
      // Another object without this key may have replaced the known one.
      known.delete(subject.id);
      return await work(null);
    }
  };

  return {
    remember,
    handOn: (from, to) => {
      const key = known.get(from);
      if (key !== undefined) remember(to, key);
    },
    named: async (md5, bucket) => {
      const found = await byName(md5, bucket);
      if (found !== null) return found;
      throw failure('access-denied', 'The customer key of this upload is no longer stored. Add it again.', {
        reason: 'customer-key-needed',
        retry: 'after-fix',
      });
    },
    send,
  };
}

/**
 * Returns true if the error is about a customer's key. A 400 without a message may mean anything, and errors about KMS keys do
 * not count.
 */
export function saysEncrypted(error: AppError): boolean {
  const message = error.s3?.message ?? '';
  return (
    error.s3?.status === 400 && /encrypt|customer.?key|\bsse\b/i.test(message) && !/\bkms\b/i.test(message)
  );
}

/**
 * Returns true for a 400 without a code that has another meaning. The known ones, such as BadDigest and RequestTimeout, come from
 * requests with the right key too.
 */
function mayConcernKey({ s3 }: AppError): boolean {
  return s3?.status === 400 && (s3.code === null || !isKnownServiceCode(s3.code));
}

/**
 * Returns true if a customer's key may be sent to this origin: over HTTPS, or within this computer. Plain HTTP would expose it.
 */
export function mayCarryKey(origin: Origin, proxyUrl: string | null): boolean {
  if (origin.protocol === 'https:') return true;
  // A proxy that the user configured may be another computer.
  return isThisComputer(origin.hostname) && (proxyUrl === null || proxyUrl === 'none');
}

/** Returns the customer's keys in the headers of a request: for its object, and for the source of a copy. */
export function customerKeysIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return [headers[customerKeyHeader], headers[`${copyHeaderStart}key`]].filter((key) => key !== undefined);
}

export function carriesKey(headers: Readonly<Record<string, string>>): boolean {
  return customerKeysIn(headers).length > 0;
}

export function keyWantsTls(): Error {
  return failure(
    'access-denied',
    'This needs a customer key, and the connection is not encrypted (http). The key was not sent.',
    { reason: 'customer-key-needs-tls', retry: 'after-fix' },
  );
}

function refusesKey(error: AppError): boolean {
  const status = error.s3?.status ?? 0;
  return status === 400 || status === 403;
}

function keyNeeded(error: AppError): Error {
  return failure(
    'access-denied',
    'The object is encrypted with a customer key, and none of the stored keys of this connection matches.',
    {
      reason: 'customer-key-needed',
      retry: 'after-fix',
      ...(error.s3 === undefined ? {} : { s3: error.s3 }),
    },
  );
}

/** Throws unless the response confirms the requested encryption. A service that ignores it would store the object unencrypted. */
export function checkEncrypted(
  requestedHeaders: Readonly<Record<string, string>>,
  answered: Readonly<Record<string, string>>,
): void {
  const names = ['x-amz-server-side-encryption', `${headerStart}algorithm`];
  const missing = names.find(
    (name) => requestedHeaders[name] !== undefined && !isConfirmed(requestedHeaders[name], answered[name]),
  );
  if (missing === undefined) return;
  if (answered[missing] !== undefined)
    throw failure(
      'unsupported',
      'The service encrypted the bytes differently than requested: without the key of its key management.',
      { reason: 'encryption-ignored', retry: 'after-fix' },
    );
  throw failure(
    'unsupported',
    'The service stored the bytes without confirming the requested encryption. They may be stored unencrypted.',
    { reason: 'encryption-ignored', retry: 'after-fix' },
  );
}

/** Returns true if the response confirms at least the requested encryption. AES256 is not enough for aws:kms. */
function isConfirmed(requestedValue: string, answered: string | undefined): boolean {
  return answered !== undefined && (!requestedValue.startsWith('aws:kms') || answered.startsWith('aws:kms'));
}
