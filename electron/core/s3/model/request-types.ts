import type { RequestLogEntry } from '../../../../shared/models/settings.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Maximum number of tries; 1 means no retry. Defaults to the client's. */
  readonly maxTries?: number;
  /** The longest Retry-After for which a request waits before it fails; defaults to three seconds. */
  readonly patienceMs?: number;
}

/** Consumes the body of a response in chunks and parses it elsewhere. Created for each attempt. */
export interface BodyReader<T> {
  /** Copies the chunk, whose memory is freed afterwards. */
  write(chunk: Uint8Array): void;
  /** Parses the complete body; null if it is not the expected document. */
  end(): Promise<T | null>;
  /** Returns all bytes written. */
  bytes(): Uint8Array;
  /** Releases the reader; always called at the end. */
  release(): void;
}

/** Receives an entry of the request log; it never contains secrets. */
export type RequestLogSink = (entry: Omit<RequestLogEntry, 'id'>) => void;
