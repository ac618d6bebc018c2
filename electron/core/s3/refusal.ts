import { AppFailure, type S3Error } from '../../../shared/errors.ts';
import type { Answer } from './answer.ts';
import { answerFailure, type Subject } from './errors.ts';
import type { Operation } from './executor.ts';
import { parseRetryAfter } from './retry.ts';
import { visibleStart } from './visible-text.ts';
import { readErrorAnswer, type ErrorAnswer } from './xml/error-answer.ts';
import { parseXml } from './xml/parse.ts';

const maxErrorBytes = 256 * 1024;

/** What an answer that is no success says. */
export interface Refusal {
  /** The <Error>; null where there is none (HEAD, proxies). */
  readonly error: ErrorAnswer | null;
  /** How a body begins that is something else. */
  readonly foreignText: string | null;
}

/** Reads the body of a refusal, whatever it is. */
export async function readRefusal(answer: Answer): Promise<Refusal> {
  let bytes: Uint8Array;
  try {
    bytes = await answer.bytes(maxErrorBytes);
  } catch {
    // A refusal is told by its status too; a body that breaks off adds nothing to it.
    return { error: null, foreignText: null };
  }
  if (bytes.byteLength === 0) return { error: null, foreignText: null };
  const error = errorIn(bytes);
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('utf8');
  return error ? { error, foreignText: null } : { error: null, foreignText: visibleStart(start) };
}

function errorIn(bytes: Uint8Array): ErrorAnswer | null {
  try {
    return readErrorAnswer(parseXml(bytes));
  } catch (thrown) {
    if (thrown instanceof AppFailure) return null;
    throw thrown;
  }
}

export function refusalFailure(
  operation: Operation,
  answer: Answer,
  refusal: Refusal,
  about: { readonly anonymous: boolean; readonly nowMs: number },
): AppFailure {
  const { error, foreignText } = refusal;
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
  });
}

export function subjectOf(operation: Operation): Subject {
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
