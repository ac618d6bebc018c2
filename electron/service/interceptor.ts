import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationResponse } from './context.ts';
import type { Operation, Target } from './find-operation.ts';

/** The request as passed to an interceptor. */
export interface OperationRequest<Named extends string = Operation> {
  readonly operation: Named;
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string | null;
  readonly partNumber: number | null;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
}

/** A request on the wire, with the functions that build and send its response. */
export interface InterceptedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts pending work when the service closes. */
  readonly signal: AbortSignal;
  readonly answerTo: (error: unknown) => OperationResponse;
  readonly send: (reply: OperationResponse) => Promise<void>;
}

/** Replaces or wraps the handler of one request. */
export interface Interception {
  /** The offset in ms that is added to the service's clock for this request. */
  readonly skewMs: number;
  /** The error to send instead of running the operation; null for none. */
  readonly refusal: Error | null;
  /** Runs before the operation. Resolves to true if it sent the response; the operation is then skipped. */
  readonly before: () => Promise<boolean>;
  /** Sends the response and releases its body. */
  readonly send: (made: OperationResponse) => Promise<void>;
}

/** Decides about each request before it runs. Null runs the operation normally. */
export type Interceptor = (request: OperationRequest, exchange: InterceptedExchange) => Interception | null;

/** Collects the fields by which rules match requests. */
export function operationRequest<Named extends string>(
  operation: Named,
  method: string,
  target: Target,
  headers: ReadonlyMap<string, string>,
): OperationRequest<Named> {
  const part = target.query.get('partNumber');
  return {
    operation,
    method,
    bucket: target.bucket,
    key: target.key,
    uploadId: target.query.get('uploadId') ?? null,
    partNumber: part === undefined ? null : Number(part),
    query: target.query,
    headers,
  };
}
