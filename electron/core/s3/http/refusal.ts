import { AppFailure, type S3Error } from '../../../../shared/errors.ts';
import type { Answer } from './answer.ts';
import { answerFailure, protocolFailure } from '../model/s3-errors.ts';
import type { Subject } from '../model/service-codes.ts';
import type { S3Operation } from './s3-operation.ts';
import { parseRetryAfter } from './retry.ts';
import { quotableText } from '../model/redact.ts';
import { readErrorAnswer, regionIn, type ErrorAnswer } from '../xml/error-answer.ts';
import { parseXml } from '../xml/parse.ts';

const maxErrorBytes = 256 * 1024;

/** The content of an error response. */
export interface ServiceRefusal {
  /** The parsed <Error>; null if the response has none, as for HEAD and from proxies. */
  readonly error: ErrorAnswer | null;
  /** A body other than an <Error>. It may be long and contain secrets, so it must be redacted and shortened. */
  readonly foreignText: string | null;
  /** True if the body ended early or its <Error> is incomplete. */
  readonly isCut: boolean;
}

const silent: ServiceRefusal = { error: null, foreignText: null, isCut: false };

/** Reads the body of an error response in any format. */
export async function readRefusal(answer: Answer): Promise<ServiceRefusal> {
  let bytes: Uint8Array;
  try {
    bytes = await answer.bytes(maxErrorBytes);
  } catch (thrown) {
    // If the body is too large, only the status is used.
    return { ...silent, isCut: !(thrown instanceof AppFailure) };
  }
  if (bytes.byteLength === 0) return silent;
  try {
    const error = readErrorAnswer(parseXml(bytes));
    if (error !== null) return { ...silent, error };
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    if (thrown.error.reason === 'cut-short' && beginsAsError(bytes)) return { ...silent, isCut: true };
  }
  return { ...silent, foreignText: quotableText(bytes) };
}

function beginsAsError(bytes: Uint8Array): boolean {
  return /^\s*(?:<\?xml[^<>]*\?>\s*)?<Error[\s>]/.test(quotableText(bytes));
}

export function refusalFailure(
  operation: S3Operation,
  answer: Answer,
  refusal: ServiceRefusal,
  about: { readonly anonymous: boolean; readonly nowMs: number },
): AppFailure {
  const { error, foreignText } = refusal;
  if (refusal.isCut && answer.status < 500) return cutFailure(operation, answer);
  return answerFailure({
    status: answer.status,
    code: error?.code ?? null,
    message: error?.message ?? null,
    requestId: error?.requestId ?? answer.requestId,
    retryAfterMs: parseRetryAfter(answer.header('retry-after') ?? undefined, about.nowMs),
    effect: operation.effect,
    about: subjectOf(operation),
    anonymous: about.anonymous,
    foreignText: operation.method === 'HEAD' ? null : foreignText,
    region: error === null ? null : regionIn(error),
    maxSizeBytes: error?.maxSizeBytes ?? null,
  });
}

/** Returns the error for a body that ended early. It allows a retry, because the lost error code might have allowed one. */
function cutFailure({ effect }: S3Operation, answer: Answer): AppFailure {
  return protocolFailure(
    'cut-short',
    `The service answered ${answer.status}, and its reason was cut short.`,
    {
      retry: 'backoff',
      outcome: effect === 'write' ? 'unknown' : 'not-applied',
      s3: s3ErrorOf(answer, null),
    },
  );
}

export function subjectOf(operation: S3Operation): Subject {
  if (operation.aboutUpload) return 'upload';
  if (operation.key !== undefined) return 'object';
  return operation.bucket === undefined ? 'service' : 'bucket';
}

export function s3ErrorOf(answer: Answer, refusal: ErrorAnswer | null): S3Error {
  return {
    status: answer.status,
    code: refusal?.code ?? null,
    message: refusal?.message ?? null,
    requestId: refusal?.requestId ?? answer.requestId,
  };
}
