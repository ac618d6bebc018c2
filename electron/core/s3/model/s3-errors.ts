import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import type { Effect, Subject } from './effect-and-subject.ts';
import { AppFailure, failure, type AppError, type S3Error } from '../../../../shared/errors.ts';
import { quotingFailure, type Quote } from './quote.ts';
import { networkReasonOf, networkText, type NetworkReason } from './network-errors.ts';
import { byServiceCode, byStatus, denied, notS3, type CodeMeaning } from './service-codes.ts';

export interface AnswerFailure {
  readonly status: number;
  /** The service's code; null where the answer had no XML. */
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly effect: Effect;
  readonly about: Subject;
  readonly anonymous: boolean;
  /** A body that is no XML, uncut. */
  readonly foreignText: string | null;
  /** The region that it names as the right one. */
  readonly region?: string | null;
}

function verdictOn(answer: AnswerFailure): CodeMeaning {
  const { status, code } = answer;
  const foreign = answer.foreignText !== null;
  if (answer.about === 'upload' && status === 404 && code !== 'NoSuchBucket' && !foreign)
    return { code: 'upload-gone', reason: 'no-such-upload' };
  // A web server that is no storage service also sends 404; its page must not be mistaken for an absent bucket.
  if (code === null && notS3.has(status) && (foreign || answer.about === 'service'))
    return { code: 'protocol', reason: 'unexpected-answer', retry: 'after-fix' };
  // OpenStack Swift handles an unsigned request as one of its own API: 412 "Bad URL".
  if (answer.anonymous && status === 412 && foreign) return { ...denied, reason: 'anonymous-refused' };
  if (code === 'InvalidRequest' && /checksum/i.test(answer.message ?? ''))
    return { code: 'parts-rejected', reason: 'checksum-missing', retry: 'after-fix' };
  const isOfRegion =
    typeof answer.region === 'string' || /region|location|scope/i.test(answer.message ?? 'region');
  if (code === 'AuthorizationHeaderMalformed' && !isOfRegion)
    return { code: 'access-denied', reason: 'key-unknown', retry: 'after-fix' };
  const known = code === null ? undefined : byServiceCode[code];
  // An <Error> after a 200 interrupted an operation in progress.
  const verdict = known ?? unknownDenial(answer) ?? byStatus(status < 300 ? 500 : status, answer.about);
  if (verdict.reason === 'denied' && answer.anonymous) return { ...denied, reason: 'anonymous-refused' };
  return verdict;
}

/** A refusal (403) with a code of the service's own blames no permission, unless the code speaks of one. */
function unknownDenial({ status, code }: AnswerFailure): CodeMeaning | null {
  if (status !== 403 || code === null) return null;
  if (/^Forbidden$|Access(?:Denied|Forbidden)|Unauthori[sz]ed|Permission/i.test(code)) return denied;
  return { ...denied, reason: 'refused-by-service' };
}

/** The one classification of an answer that says no, by status and by the service's own code. */
export function answerFailure(answer: AnswerFailure): AppFailure {
  const verdict = verdictOn(answer);
  // Any answer of a proxy or of a failing server to a write leaves open what was done; a refusal does not.
  // A 503 without a code is a proxy's, and some send it when the connection behind them broke (Envoy).
  const gateway = answer.status === 502 || (answer.status === 503 && answer.code === null);
  const doubtful = (verdict.doubtful ?? false) || gateway;
  const s3: S3Error = {
    status: answer.status,
    code: answer.code,
    message: answer.message,
    requestId: answer.requestId,
    ...(typeof answer.region === 'string' ? { region: answer.region } : {}),
  };
  return quotingFailure(verdict.code, (quote) => textOf(answer, quote), {
    retry: verdict.retry ?? 'never',
    outcome: doubtful && answer.effect === 'write' ? 'unknown' : 'not-applied',
    reason: verdict.reason,
    s3,
    ...(answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }),
  });
}

function textOf(answer: AnswerFailure, quote: Quote): string {
  const code = answer.code ?? 'no code';
  if (answer.foreignText !== null)
    return `The service answered ${answer.status} without an S3 error. The answer begins: ${quote(answer.foreignText)}`;
  return `The service answered ${answer.status} (${code})${answer.message ? `: ${answer.message}` : '.'}`;
}

export interface NetworkFailure {
  readonly thrown: unknown;
  readonly effect: Effect;
  /** The whole request may have reached the service: its outcome is not known. */
  readonly mayHaveArrived: boolean;
  /** The caller's signal, or the client's end, was the cause. */
  readonly aborted: boolean;
}

/** The one classification of what happened instead of an answer. */
export function networkFailure(lost: NetworkFailure): AppFailure {
  const { thrown, effect } = lost;
  const reason = networkReasonOf(thrown);
  const arrived = lost.mayHaveArrived && !neverConnected.has(reason);
  const outcome = arrived && effect === 'write' ? 'unknown' : 'not-applied';
  if (lost.aborted) return failure('cancelled', 'The request was cancelled.', { outcome });
  if (thrown instanceof AppFailure) {
    if (thrown.error.outcome === outcome || outcome === 'not-applied') return thrown;
    return new AppFailure({ ...thrown.error, outcome }, { cause: thrown });
  }
  const details = { outcome, cause: thrown, reason } as const;
  switch (reason) {
    case 'connect-timeout':
    case 'first-byte-timeout':
    case 'inactivity':
      return failure('timeout', networkText[reason], { ...details, retry: 'backoff' });
    case 'tls-untrusted':
    case 'tls-hostname':
    case 'tls-expired':
    case 'tls-protocol':
    case 'proxy-auth':
    case 'proxy-failed':
    case 'connection-refused':
    case 'dns':
    case 'unreachable':
      return failure('network', networkText[reason], { ...details, retry: retryOf(reason) });
    case 'reset':
    case 'cut-short':
      return failure('network', networkText[reason], { ...details, retry: 'backoff' });
    case 'not-http':
      return failure('protocol', networkText[reason], { ...details, retry: 'after-fix' });
    case 'body-changed':
      return failure('storage', networkText[reason], { ...details, retry: 'after-fix' });
    case 'other':
      return failure('network', messageOf(thrown), { ...details, retry: 'backoff' });
    default:
      return reason satisfies never;
  }
}

const neverConnected: ReadonlySet<NetworkReason> = new Set([
  'dns',
  'connection-refused',
  'unreachable',
  'connect-timeout',
  'tls-untrusted',
  'tls-hostname',
  'tls-expired',
  'tls-protocol',
  'proxy-auth',
  'proxy-failed',
]);

/** A service that restarts refuses for a while, and a laptop that wakes has no name server yet: both are worth a wait. */
function retryOf(reason: NetworkReason): AppError['retry'] {
  return reason === 'connection-refused' || reason === 'dns' || reason === 'unreachable'
    ? 'backoff'
    : 'after-fix';
}

/** Own words: what libraries say is for the log, where the cause goes. */
function messageOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^[A-Z][A-Z0-9_]*$/.test(code)
    ? `The connection failed for a reason that Cooper does not know (${code}).`
    : 'The connection failed for a reason that Cooper does not know.';
}

/** A 200 that is not what was asked for. */
export function protocolFailure(
  reason: ErrorReason,
  message: string | ((quote: Quote) => string),
  options: {
    readonly retry?: AppError['retry'];
    readonly outcome?: AppError['outcome'];
    readonly s3?: S3Error;
    readonly host?: string;
    readonly cause?: unknown;
  } = {},
): AppFailure {
  if (typeof message === 'string') return failure('protocol', message, { reason, ...options });
  return quotingFailure('protocol', message, { reason, ...options });
}
