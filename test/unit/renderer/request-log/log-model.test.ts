import { describe, expect, it } from 'vitest';
import {
  filterLog,
  lineAsText,
  mergeLog,
  readablePath,
  hasSucceeded,
} from '../../../../renderer/features/request-log/log-model.ts';
import type { RequestLogEntry } from '../../../../shared/models/settings.ts';

function entryOf(id: number, changes: Partial<RequestLogEntry> = {}): RequestLogEntry {
  return {
    id,
    startedAt: '2026-01-02T03:04:05.678Z',
    operation: 'ListObjectsV2',
    method: 'GET',
    host: 'storage.example.com',
    path: '/photos?list-type=2&prefix=a%20b',
    status: 200,
    durationMs: 12.4,
    requestId: 'REQ1',
    tryNumber: 1,
    requestBytes: 0,
    responseBytes: 512,
    error: null,
    ...changes,
  };
}

const fine = entryOf(1);
const denied = entryOf(2, { status: 403, error: 'AccessDenied', path: '/secret' });
const lost = entryOf(3, { status: null, error: 'refused', requestId: null });
const again = entryOf(4, { tryNumber: 2 });
const all = [again, lost, denied, fine];

describe('filtering the request log', () => {
  it('separates successful from failed requests, counting no response as failed', () => {
    expect(filterLog(all, { text: '', status: 'ok' })).toEqual([again, fine]);
    expect(filterLog(all, { text: '', status: 'failed' })).toEqual([lost, denied]);
    expect(filterLog(all, { text: '', status: 'retried' })).toEqual([again]);
    expect(hasSucceeded(entryOf(9, { status: 304 }))).toBe(true);
  });

  it('matches every word anywhere in the line, ignoring case', () => {
    expect(filterLog(all, { text: 'SECRET accessdenied', status: 'all' })).toEqual([denied]);
    expect(filterLog(all, { text: 'secret refused', status: 'all' })).toEqual([]);
    expect(filterLog(all, { text: 'req1 403', status: 'all' })).toEqual([denied]);
  });

  it('matches a key in its readable form too', () => {
    expect(filterLog([fine], { text: 'prefix=a b', status: 'all' })).toEqual([fine]);
    expect(readablePath('/b/%E4%BD%A0')).toBe('/b/你');
    expect(readablePath('/b/100%')).toBe('/b/100%');
  });

  it('returns the same list without a filter', () => {
    expect(filterLog(all, { text: ' ', status: 'all' })).toBe(all);
  });
});

it('the request log shows each line once, newest first, for overlapping pages', () => {
  expect(mergeLog([denied, fine], [again, lost, denied]).map((entry) => entry.id)).toEqual([4, 3, 2, 1]);
});

it('a copied log line contains what a provider needs', () => {
  expect(lineAsText(denied)).toBe(
    '2026-01-02T03:04:05.678Z  GET  storage.example.com/secret  403  12 ms  request id REQ1  AccessDenied',
  );
  expect(lineAsText(lost)).toContain('no answer');
  expect(lineAsText(again)).toContain('try 2');
});
