import { AppFailure, type AppError } from '../../../../shared/errors.ts';
import type { HttpResponse } from './http-response.ts';
import type { ExecutorDeps, S3Operation } from './s3-operation.ts';
import { quoteWithout, wordsOf, redactPath, redactText } from '../model/redact.ts';
import type { Credentials } from '../model/connection-types.ts';
import { customerKeysIn } from './customer-key-headers.ts';

export type Report = (reply: HttpResponse | null, error: AppError | null) => void;

export interface ReportedRequest {
  readonly host: string;
  readonly path: string;
  readonly requestBytes: number;
  /** The number of this send. A request that is signed again is another send. */
  readonly tryNumber: number;
}

/** Starts the entry of the request log for one send. It is written when the send, or the stream of its response, has ended. */
export function beginReport(deps: ExecutorDeps, operation: S3Operation, request: ReportedRequest): Report {
  const startedAt = new Date(deps.clock.nowMs()).toISOString();
  const startedMs = deps.clock.monotonicMs();
  const write = (reply: HttpResponse | null, error: string | null): void =>
    deps.requestLog?.({
      startedAt,
      operation: operation.name,
      method: operation.method,
      host: request.host,
      path: redactPath(request.path),
      status: reply?.status ?? null,
      durationMs: deps.clock.monotonicMs() - startedMs,
      requestId: reply?.requestId ?? null,
      tryNumber: request.tryNumber,
      requestBytes: request.requestBytes,
      responseBytes: reply?.receivedBytes ?? 0,
      error,
    });
  return (reply, error) => {
    const streaming = error === null ? (reply?.streaming ?? null) : null;
    if (streaming === null) return write(reply, error === null ? null : lineOf(error));
    void streaming.then((broken) =>
      write(reply, broken instanceof AppFailure ? lineOf(broken.error) : (broken?.message ?? null)),
    );
  };
}

/** Returns the secrets in a request, which a response may repeat. */
export function secretsOf(
  credentials: Credentials | null,
  headers: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [credentials?.secretAccessKey, credentials?.sessionToken, ...customerKeysIn(headers)].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );
}

/** Removes secrets from an error, because services repeat headers in messages, and libraries repeat URLs with passwords. */
export function cleanFailure(thrown: AppFailure, secrets: readonly string[]): AppFailure {
  const { error } = thrown;
  const clean: AppError = {
    ...error,
    message: redactText(wordsOf(thrown, quoteWithout(secrets)), secrets),
    ...(error.s3
      ? {
          s3: {
            ...error.s3,
            message: error.s3.message === null ? null : redactText(error.s3.message, secrets),
          },
        }
      : {}),
  };
  return new AppFailure(clean, thrown.cause === undefined ? undefined : { cause: thrown.cause });
}

function lineOf(error: AppError): string {
  const code = error.s3?.code ? ` ${error.s3.code}` : '';
  return `${error.code}${error.reason ? `/${error.reason}` : ''}${code}`;
}

/**
 * Aborts the requests of a client on the caller's signal, and when the client is closed. Combines each caller's signal only once,
 * because that costs as much as signing, and each `AbortSignal.any` leaves a weak reference. (200,000 files with one signal took
 * 200 MB more.)
 */
export class RunningRequests {
  readonly #closing = new AbortController();
  readonly #known = new WeakMap<AbortSignal, AbortSignal>();

  /** Returns a signal that aborts with the caller's signal and when the client is closed. */
  signalFor(caller: AbortSignal | undefined): AbortSignal {
    if (caller === undefined) return this.#closing.signal;
    const known = this.#known.get(caller);
    if (known !== undefined) return known;
    const signal = AbortSignal.any([caller, this.#closing.signal]);
    this.#known.set(caller, signal);
    return signal;
  }

  /** Aborts all requests, including those that start later. */
  abort(): void {
    this.#closing.abort();
  }
}
