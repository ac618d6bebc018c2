import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './context.ts';
import type { Operation, Target } from './find-operation.ts';

/** The request as an interceptor sees it. */
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

/** A request on the wire, and what makes and sends answers to it. */
export interface InterceptedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts what still waits when the service closes. */
  readonly signal: AbortSignal;
  readonly answerTo: (error: unknown) => Answer;
  readonly send: (answer: Answer) => Promise<void>;
}

/** Handles one request instead of, or around, the usual handler. */
export interface Interception {
  /** Added to the service's clock for this request. */
  readonly skewMs: number;
  /** Takes the place of the operation. */
  readonly refusal: Error | null;
  /** Before the request is carried out; true: it has been dealt with. */
  readonly before: () => Promise<boolean>;
  /** Sends the answer, and releases its body. */
  readonly send: (made: Answer) => Promise<void>;
}

/** Stands between the requests and the service; null: this one goes its usual way. */
export type Interceptor = (request: OperationRequest, exchange: InterceptedExchange) => Interception | null;

/** The parts of a request by which it is told from others. */
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
