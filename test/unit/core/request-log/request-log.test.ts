import { expect, test } from 'vitest';
import { createRequestLog } from '../../../../electron/core/request-log/request-log.ts';
import type { RequestLogEntry } from '../../../../shared/models/settings.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

const entry = (path: string): Omit<RequestLogEntry, 'id'> => ({
  startedAt: '2026-01-01T00:00:00.000Z',
  operation: 'ListObjectsV2',
  method: 'GET',
  host: 'h',
  path,
  status: 200,
  durationMs: 12.4,
  requestId: 'R1',
  tryNumber: 1,
  requestBytes: 0,
  responseBytes: 5,
  error: null,
});

const all = { beforeId: null, limit: 1000, connectionId: null };

test('the request log lists the newest requests first, page by page, of one connection or all', () => {
  const log = createRequestLog(manualClock());
  for (let index = 1; index <= 5; index++) log.sinkFor(index % 2 === 0 ? 'even' : 'odd')(entry(`/${index}`));
  expect(log.list({ ...all, limit: 2 }).map(({ path }) => path)).toEqual(['/5', '/4']);
  expect(log.list({ ...all, limit: 2, beforeId: 4 }).map(({ path }) => path)).toEqual(['/3', '/2']);
  expect(log.list({ ...all, connectionId: 'even' }).map(({ path }) => path)).toEqual(['/4', '/2']);
});

test('the request log keeps the last 5000 requests', () => {
  const log = createRequestLog(manualClock());
  const sink = log.sinkFor('c');
  for (let index = 1; index <= 23_456; index++) sink(entry(`/${index}`));
  const exported = log.export('json');
  const kept = JSON.parse(exported.text) as { path: string }[];
  expect(kept).toHaveLength(5000);
  expect(kept.at(-1)?.path).toBe('/23456');
  expect(log.list({ ...all, beforeId: 23_456 - 4999 })).toEqual([]);
});

test('watching the request log reports the newest id at most four times a second, without missing the last', async () => {
  const clock = manualClock();
  const log = createRequestLog(clock);
  const aborter = new AbortController();
  const seen: number[] = [];
  const watching = (async () => {
    for await (const { newestId } of log.watch(aborter.signal)) seen.push(newestId);
  })();
  const sink = log.sinkFor('c');
  for (let tenth = 0; tenth < 20; tenth++) {
    sink(entry('/'));
    await clock.advance(100);
  }
  await clock.advance(1000);
  expect(seen.length).toBeLessThanOrEqual(9);
  expect(seen.at(-1)).toBe(20);
  await clock.advance(60_000);
  expect(seen.at(-1)).toBe(20);
  aborter.abort();
  await watching;
});

test('the request log is exported as text or JSON, oldest first', () => {
  const log = createRequestLog(manualClock());
  log.sinkFor('c')(entry('/a'));
  log.sinkFor('c')({ ...entry('/b\nGET /made-up'), status: null, error: 'network/reset', requestId: null });
  const { text, fileName } = log.export('text');
  expect(fileName).toMatch(/^cooper-requests-[\dT-]+\.txt$/);
  expect(text.split('\n')).toEqual([
    '2026-01-01T00:00:00.000Z  GET  200  12 ms  try 1  sent 0 B  received 5 B  request id R1  ListObjectsV2 h/a',
    '2026-01-01T00:00:00.000Z  GET  no answer  12 ms  try 1  sent 0 B  received 5 B  request id -  ListObjectsV2 h/b\ufffdGET /made-up  network/reset',
    '',
  ]);
  expect(JSON.parse(log.export('json').text)).toEqual([
    entry('/a'),
    { ...entry('/b\nGET /made-up'), status: null, error: 'network/reset', requestId: null },
  ]);
});

test('a cleared request log is empty, and later requests have greater ids', () => {
  const log = createRequestLog(manualClock());
  log.sinkFor('c')(entry('/a'));
  const before = log.list(all)[0]?.id ?? 0;
  log.clear();
  expect(log.list(all)).toEqual([]);
  log.sinkFor('c')(entry('/b'));
  expect(log.list(all)[0]?.id).toBeGreaterThan(before);
});

test('an unknown field of the request log is exported under its name', () => {
  const log = createRequestLog(manualClock());
  log.sinkFor('c')({ ...entry('/'), protocol: 'h2\n' } as Omit<RequestLogEntry, 'id'>);
  expect(log.export('text').text).toContain('  protocol h2\ufffd\n');
  expect(log.export('json').text).toContain('"protocol": "h2\\n"');
});
