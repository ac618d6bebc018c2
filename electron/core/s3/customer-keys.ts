import { createHash } from 'node:crypto';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';

/** A key of the user's own, by which the service encrypts (SSE-C). Lives in the core only. */
export interface CustomerKey {
  /** 32 bytes in Base64. */
  readonly key: string;
  /** Of the bytes, in Base64: how everybody names a key without telling it. */
  readonly md5: string;
}

/** The keys that are kept for a connection; asked for when one is needed. */
export type CustomerKeySource = () => Promise<readonly CustomerKey[]>;

export const customerKeyHeader = 'x-amz-server-side-encryption-customer-key';
const headerStart = 'x-amz-server-side-encryption-customer-';
const copyHeaderStart = 'x-amz-copy-source-server-side-encryption-customer-';
const maxKnown = 5000;

/** What names a key in headers, jobs and the window. Null: these are no 32 bytes in Base64. */
export function customerKeyOf(key: string): CustomerKey | null {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.byteLength !== 32 || bytes.toString('base64') !== key) return null;
  return { key, md5: createHash('md5').update(bytes).digest('base64') };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html */
export function customerKeyHeaders(
  found: CustomerKey | null,
  of: 'object' | 'copy-source' = 'object',
): Record<string, string> {
  if (found === null) return {};
  const start = of === 'object' ? headerStart : copyHeaderStart;
  return { [`${start}algorithm`]: 'AES256', [`${start}key`]: found.key, [`${start}key-md5`]: found.md5 };
}

/**
 * Nothing in a listing tells that an object needs a key: the service refuses, and the keys of the connection are tried. What
 * fitted is remembered, so that a large object asks once.
 */
export interface KeyFinder {
  /** `subject`: what the key belongs to, an object or an upload. */
  send<T>(subject: string, work: (key: CustomerKey | null) => Promise<T>): Promise<T>;
  /** The key of a write; throws where it is not kept. */
  named(md5: string): Promise<CustomerKey>;
  remember(subject: string, key: CustomerKey): void;
}

export function createKeyFinder(source: CustomerKeySource | undefined): KeyFinder {
  const known = new Map<string, CustomerKey>();
  const keys: CustomerKeySource = source ?? (() => Promise.resolve([]));

  const remember = (subject: string, key: CustomerKey): void => {
    known.delete(subject);
    known.set(subject, key);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(oldest);
    }
  };

  return {
    remember,
    named: async (md5) => {
      const found = (await keys()).find((key) => key.md5 === md5);
      if (found !== undefined) return found;
      throw failure('access-denied', 'The customer key of this upload is not kept any more. Add it again.', {
        reason: 'customer-key-needed',
        retry: 'after-fix',
      });
    },
    send: async (subject, work) => {
      const before = known.get(subject) ?? null;
      try {
        return await work(before);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (!mayWantKey(error)) throw thrown;
        for (const key of await keys()) {
          if (key.md5 === before?.md5) continue;
          try {
            const result = await work(key);
            remember(subject, key);
            return result;
          } catch (again) {
            if (!refusesKey(toAppError(again))) throw again;
          }
        }
        if (before !== null) {
          // Another object has taken its place, without a key perhaps.
          known.delete(subject);
          return await work(null);
        }
        if (saysEncrypted(error)) throw keyNeeded(error);
        throw thrown;
      }
    },
  };
}

/** A HEAD has no words: its bare 400 may mean anything. */
function mayWantKey(error: AppError): boolean {
  const { s3 } = error;
  if (s3?.status !== 400) return false;
  return (
    s3.code === null || s3.code === 'InvalidRequest' || s3.code === 'InvalidArgument' || saysEncrypted(error)
  );
}

export function saysEncrypted(error: AppError): boolean {
  return error.s3?.status === 400 && /encrypt|customer.?key|\bsse\b/i.test(error.s3.message ?? '');
}

function refusesKey(error: AppError): boolean {
  const status = error.s3?.status ?? 0;
  return status === 400 || status === 403;
}

export function keyNeeded(error: AppError): Error {
  return failure(
    'access-denied',
    'The object is encrypted with a customer key, and none of the keys kept for this connection is the one.',
    {
      reason: 'customer-key-needed',
      retry: 'after-fix',
      ...(error.s3 === undefined ? {} : { s3: error.s3 }),
    },
  );
}

/** What was asked for is in the answer of a service that has done it; one that has not would store the bytes as they are. */
export function checkEncrypted(
  asked: Readonly<Record<string, string>>,
  answered: Readonly<Record<string, string>>,
): void {
  const names = ['x-amz-server-side-encryption', `${headerStart}algorithm`];
  const missing = names.find((name) => asked[name] !== undefined && !isAsAsked(asked[name], answered[name]));
  if (missing === undefined) return;
  if (answered[missing] !== undefined)
    throw failure(
      'unsupported',
      'The service encrypted the bytes in another way than was asked: without the key of its key management.',
      { reason: 'encryption-ignored', retry: 'after-fix' },
    );
  throw failure(
    'unsupported',
    'The service took the bytes but does not say that it encrypted them, as was asked. What was sent lies there unencrypted.',
    { reason: 'encryption-ignored', retry: 'after-fix' },
  );
}

/** A key of the service (AES256) is less than the one of key management (aws:kms, aws:kms:dsse) that was asked for. */
function isAsAsked(asked: string, answered: string | undefined): boolean {
  return answered !== undefined && (!asked.startsWith('aws:kms') || answered.startsWith('aws:kms'));
}
