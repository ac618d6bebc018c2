import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestPace } from '../../../../../electron/core/s3/model/request-pace.ts';

/** Simulates a service that responds after `latencyMs` to at most `capacity` requests at once, and queues the others. */
function serve(
  pace: RequestPace,
  rounds: number,
  latencyMs: number,
  capacity: number,
  operation = 'GetObject',
): void {
  for (let round = 0; round < rounds; round += 1) {
    const inFlight = pace.limit;
    for (let index = 0; index < inFlight; index += 1) pace.began();
    const waitedMs = latencyMs * Math.max(1, inFlight / capacity);
    for (let index = 0; index < inFlight; index += 1) {
      pace.answered(operation, waitedMs);
      pace.ended();
    }
  }
}

test('the request limit grows to the maximum for a distant service that keeps up', () => {
  const pace = new RequestPace({ least: 16, max: 96 });
  expect(pace.limit).toBe(16);
  serve(pace, 10, 100, 1000);
  expect(pace.limit).toBe(96);
});

test('the request limit stops growing when more requests would only queue', () => {
  const pace = new RequestPace({ least: 16, max: 96 });
  serve(pace, 40, 100, 24);
  expect(pace.limit).toBeLessThan(48);
  expect(pace.limit).toBeGreaterThanOrEqual(24);
});

test('the request limit stays at the minimum if responses queue from the start', () => {
  const pace = new RequestPace({ least: 16, max: 96 });
  pace.began();
  pace.answered('GetObject', 2);
  pace.ended();
  serve(pace, 20, 2, 2);
  expect(pace.limit).toBe(16);
});

test('a throttling response halves the request limit, once for all requests in flight', () => {
  const pace = new RequestPace({ least: 4, max: 64 });
  serve(pace, 20, 100, 1000);
  expect(pace.limit).toBe(64);
  for (let index = 0; index < 60; index += 1) pace.refused();
  expect(pace.limit).toBe(32);
  serve(pace, 1, 100, 1000);
  pace.refused();
  expect(pace.limit).toBeLessThanOrEqual(24);
});

test('each kind of request is measured against its own fastest response', () => {
  const pace = new RequestPace({ least: 16, max: 96 });
  pace.answered('HeadObject', 5);
  serve(pace, 10, 100, 1000, 'ListObjectsV2');
  expect(pace.limit).toBe(96);
});

test('the request limit does not grow while it is not used', () => {
  const pace = new RequestPace({ least: 16, max: 96 });
  for (let index = 0; index < 1000; index += 1) {
    pace.began();
    pace.answered('HeadObject', 50);
    pace.ended();
  }
  expect(pace.limit).toBe(16);
});

test('the request limit stays between minimum and maximum for any responses', () => {
  const events = fc.array(
    fc.oneof(fc.constant('refused' as const), fc.double({ min: 0, max: 1e6, noNaN: true })),
    { maxLength: 500 },
  );
  fc.assert(
    fc.property(events, (all) => {
      const pace = new RequestPace({ least: 3, max: 20 });
      for (const event of all) {
        pace.began();
        if (event === 'refused') pace.refused();
        else pace.answered('PutObject', event);
        pace.ended();
        expect(pace.limit).toBeGreaterThanOrEqual(3);
        expect(pace.limit).toBeLessThanOrEqual(20);
      }
    }),
    { numRuns: 100 },
  );
});
