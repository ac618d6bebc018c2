import { describe, expect, test } from 'vitest';
import { failure } from '../../../../shared/errors.ts';
import {
  checkWithoutFile,
  gapsOf,
  runsOf,
  sortParts,
  summarizeParts,
} from '../../../../electron/core/multipart/parts/part-list.ts';
import { expectedEtag, md5InEtag, sameEtag } from '../../../../electron/core/s3/model/etag.ts';
import { verdictOf } from '../../../../electron/core/stalled/upload-rows.ts';
import { part, parts, MiB } from '../multipart/parts/made-parts.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const read = (list: Parameters<typeof summarizeParts>[0]) => ({ error: null, parts: summarizeParts(list) });

describe('the verdict on a stalled upload', () => {
  test('is could-not-be-read before any other if reading failed', () => {
    expect(verdictOf({ parts: null, error: failure('server', 'Down.').error }, nowMs)).toBe(
      'could-not-be-read',
    );
  });
  test('is still-being-written if a part is younger than 15 minutes, even with gaps', () => {
    const young = [part(3, 5 * MiB, { lastModified: '2026-03-01T11:46:00Z' })];
    expect(verdictOf(read(young), nowMs)).toBe('still-being-written');
    const old = [part(3, 5 * MiB, { lastModified: '2026-03-01T11:44:00Z' })];
    expect(verdictOf(read(old), nowMs)).toBe('has-gaps');
  });
  test('is empty without parts', () => {
    expect(verdictOf(read([]), nowMs)).toBe('empty');
  });
  test('is has-gaps before has-small-parts', () => {
    expect(verdictOf(read(parts([1, MiB], [3, MiB])), nowMs)).toBe('has-gaps');
    expect(verdictOf(read(parts([1, MiB], [2, MiB])), nowMs)).toBe('has-small-parts');
  });
  test('is no-gaps, with a note if the last part has full size', () => {
    const full = read(parts([1, 8 * MiB], [2, 8 * MiB]));
    expect(verdictOf(full, nowMs)).toBe('no-gaps');
    expect(full.parts.lastPartIsFull).toBe(true);
    expect(read(parts([1, 8 * MiB], [2, MiB])).parts.lastPartIsFull).toBe(false);
  });
});

describe('the parts of a stalled upload', () => {
  test('are sorted as numbers', () => {
    const sorted = sortParts(parts([10, 1], [2, 1], [1, 1]));
    expect(sorted.map((part) => part.partNumber)).toEqual([1, 2, 10]);
  });
  test('are shown as runs with the gaps between them', () => {
    const list = parts([2, 6 * MiB], [3, MiB], [7, MiB]);
    expect(gapsOf(list)).toEqual([
      { from: 1, to: 1 },
      { from: 4, to: 6 },
    ]);
    expect(runsOf(list)).toEqual([
      { from: 1, to: 1, state: 'missing' },
      { from: 2, to: 2, state: 'present' },
      { from: 3, to: 3, state: 'too-small' },
      { from: 4, to: 6, state: 'missing' },
      { from: 7, to: 7, state: 'present' },
    ]);
  });
  test('are one run for 10,000 equal parts', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => part(index + 1, 5 * MiB));
    expect(runsOf(list)).toEqual([{ from: 1, to: 10_000, state: 'present' }]);
  });
});

describe('ETags of stalled uploads:', () => {
  test('comparison ignores quotes and case', () => {
    expect(sameEtag('"ABCD"', 'abcd')).toBe(true);
    expect(sameEtag('""', '')).toBe(false);
    expect(sameEtag(null, null)).toBe(false);
  });
  test('text that cannot be an MD5 is read as null', () => {
    expect(md5InEtag('"d41d8cd98f00b204e9800998ecf8427e"')).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(md5InEtag('"d41d8cd98f00b204e9800998ecf8427e-3"')).toBeNull();
    expect(md5InEtag('')).toBeNull();
  });
  test('the expected ETag is the MD5 of the concatenated part MD5s and their number', () => {
    // The MD5 of the 16 bytes of an empty text's MD5, computed with md5sum.
    const empty = 'd41d8cd98f00b204e9800998ecf8427e';
    expect(expectedEtag([empty])).toBe('59adb24ef3cdbe0297f05b395827453f-1');
    expect(expectedEtag([empty, null])).toBeNull();
  });
});

describe('completing a stalled upload with the parts it has', () => {
  test('is refused without parts', () => {
    expect(checkWithoutFile([], false).problem).toBe('no-parts');
  });
  test('is refused if a part other than the last is below 5 MiB', () => {
    const check = checkWithoutFile(parts([1, 5 * MiB], [2, 5 * MiB - 1], [3, 1]), false);
    expect(check).toMatchObject({ problem: 'part-too-small', partNumbers: [2] });
    expect(checkWithoutFile(parts([1, 5 * MiB], [2, 1]), false).problem).toBeNull();
  });
  test('is refused with more than 10,000 parts', () => {
    const many = Array.from({ length: 10_001 }, (_, index) => part(index + 1, 5 * MiB));
    expect(checkWithoutFile(many, false).problem).toBe('too-many-parts');
  });
  test('is refused with gaps only if the upload has checksums', () => {
    const list = parts([1, 5 * MiB], [3, 5 * MiB]);
    expect(checkWithoutFile(list, false)).toMatchObject({ problem: null, gaps: [{ from: 2, to: 2 }] });
    expect(checkWithoutFile(list, true).problem).toBe('gaps-with-checksums');
  });
  test("has a fingerprint that changes with a part's ETag", () => {
    const before = checkWithoutFile(parts([1, 5 * MiB]), false).fingerprint;
    expect(checkWithoutFile([part(1, 5 * MiB, { etag: '"other"' })], false).fingerprint).not.toBe(before);
  });
});
