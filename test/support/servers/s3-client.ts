import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createS3Client, type S3ClientDeps } from '../../../electron/core/s3/client.ts';
import type { BodySource, Clock, Logger, Random } from '../../../electron/core/ports.ts';
import type { EndpointConfig } from '../../../electron/core/s3/model/connection-types.ts';
import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { AppFailure, type AppError } from '../../../shared/errors.ts';

/** A clock whose sleeps take no time and are recorded. */
export interface FakeClock extends Clock {
  readonly sleeps: readonly number[];
  advance(byMs: number): void;
}

export function fakeClock(startMs: number = Date.now()): FakeClock {
  let passedMs = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    sleep(delayMs, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      sleeps.push(delayMs);
      passedMs += delayMs;
      return Promise.resolve();
    },
    advance(byMs) {
      passedMs += byMs;
    },
  };
}

export const fixedRandom: Random = { fraction: () => 0.5, id: () => '00000000-0000-4000-8000-000000000000' };

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const testCredentials = { accessKeyId: 'TESTKEY', secretAccessKey: 'TESTSECRETTESTSECRET' };

export interface ClientUnderTest {
  readonly client: S3Client;
  readonly clock: FakeClock;
  readonly log: readonly Omit<RequestLogEntry, 'id'>[];
}

export function clientFor(
  endpoint: string,
  config: Partial<EndpointConfig> = {},
  deps: Partial<S3ClientDeps> = {},
): ClientUnderTest {
  const clock = fakeClock();
  const log: Omit<RequestLogEntry, 'id'>[] = [];
  const client = createS3Client(
    {
      endpoint,
      region: 'us-east-1',
      addressing: 'path',
      credentials: () => Promise.resolve(testCredentials),
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
      ...config,
    },
    { clock, random: fixedRandom, logger: silentLogger, requestLog: (entry) => log.push(entry), ...deps },
  );
  return { client, clock, log };
}

/** Returns the AppError that a call fails with. Fails the test if the call succeeds. */
export async function errorOf(call: Promise<unknown> | (() => unknown)): Promise<AppError> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (thrown) {
    if (thrown instanceof AppFailure) return thrown.error;
    throw thrown;
  }
  throw new Error('The call succeeded, and a failure was expected.');
}

export function bytesSource(content: string | Uint8Array): BodySource {
  const bytes = Buffer.from(content);
  return { sizeBytes: bytes.byteLength, open: () => bytes };
}

/** Returns a body source that opens streams, and counts how often a stream was opened. */
export function streamSource(content: string | Uint8Array): BodySource & { opened: number } {
  const bytes = Buffer.from(content);
  const source = {
    sizeBytes: bytes.byteLength,
    opened: 0,
    open: () => {
      source.opened += 1;
      return Readable.from([bytes.subarray(0, 3), bytes.subarray(3)].filter((piece) => piece.byteLength > 0));
    },
  };
  return source;
}

export async function textOf(stream: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the real clock, or a clock that is ahead of it. */
export function realClock(aheadMs = 0): Clock {
  return {
    nowMs: () => Date.now() + aheadMs,
    monotonicMs: () => performance.now(),
    sleep: async (delayMs, signal) => {
      await delay(delayMs, undefined, signal ? { signal } : {});
    },
  };
}
