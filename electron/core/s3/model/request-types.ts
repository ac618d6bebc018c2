import type { RequestLogEntry } from '../../../../shared/models/settings.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The maximum number of attempts; 1 means no retry. Default: the client's limit. */
  readonly maxTries?: number;
  /** The longest Retry-After in ms that the request waits for before it fails. Default: three seconds. */
  readonly patienceMs?: number;
}

/** Receives the body of a response in chunks and parses it, for example in a thread. Created for each attempt. */
export interface BodyReader<T> {
  /** Receives a chunk. Must copy it, because its memory is freed afterwards. */
  write(chunk: Uint8Array): void;
  /** Parses the complete body. Returns null if it is not the expected document. */
  end(): Promise<T | null>;
  /** Returns all bytes received. */
  bytes(): Uint8Array;
  /** Frees the memory of the reader. Always called at the end. */
  release(): void;
}

/** Receives an entry for the request log. It contains no secrets. */
export type RequestLogSink = (entry: Omit<RequestLogEntry, 'id'>) => void;
