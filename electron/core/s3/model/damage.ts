import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import { failure, type AppError, type AppFailure, type Difference } from '../../../../shared/errors.ts';

/** Returns the error for a body that does not match the announced length, ETag or checksum. The caller counts the retries. */
export function damageFailure(difference: Difference): AppFailure {
  const { what: proof, expected, got } = difference;
  return failure(
    'damaged',
    `The received data has another ${names[proof]}: expected ${expected}, got ${got}.`,
    {
      reason: `${proof}-differs`,
      retry: 'backoff',
      difference,
    },
  );
}

/** Returns the error for a part that the service stored with other content than was sent. The part is sent again. */
export function partDamaged(difference: Difference): AppFailure {
  return otherBytes(difference, { reason: 'content-damaged', retry: 'backoff' });
}

/** Returns the error for a write whose stored content is not what was sent. */
export function storedDamaged(difference: Difference): AppFailure {
  return otherBytes(difference, { reason: 'stored-damaged', retry: 'after-fix' });
}

function otherBytes(
  difference: Difference,
  next: { readonly reason: ErrorReason; readonly retry: AppError['retry'] },
): AppFailure {
  const { what: proof, expected, got } = difference;
  return failure(
    'damaged',
    `The service stored other bytes: ${proof} ${expected} was sent, ${got} is stored.`,
    { ...next, difference },
  );
}

export function lengthDiffers(expectedBytes: number, gotBytes: number): AppFailure {
  return damageFailure({ what: 'length', expected: String(expectedBytes), got: String(gotBytes) });
}

const names: Readonly<Record<Difference['what'], string>> = {
  length: 'length in bytes',
  md5: 'MD5',
  etag: 'ETag',
  checksum: 'checksum',
};
