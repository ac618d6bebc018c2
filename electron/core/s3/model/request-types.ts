import type { RequestLogEntry } from '../../../../shared/models/settings.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** At most this many tries; 1 means no retry. The default is the client's. */
  readonly maxTries?: number;
  /** The longest wait that the service may ask for (Retry-After) and that is taken unseen; the default is three seconds. */
  readonly patienceMs?: number;
}

/** Consumes the body of a response in chunks and parses it elsewhere. Created for each attempt. */
export interface BodyReader<T> {
  /** Copies it: the chunk's own memory is given back. */
  write(chunk: Uint8Array): void;
  /** The whole came. Null: it is no such document. */
  end(): Promise<T | null>;
  /** All that was written. */
  bytes(): Uint8Array;
  /** In any case, at last. */
  release(): void;
}

/** Takes a line of the request log; secrets never get here. */
export type RequestLogSink = (entry: Omit<RequestLogEntry, 'id'>) => void;
