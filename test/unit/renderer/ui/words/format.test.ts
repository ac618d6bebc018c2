import { describe, expect, it } from 'vitest';
import { fileKind } from '../../../../../shared/keys/file-kind.ts';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatExactBytes,
  formatMebibytes,
} from '../../../../../renderer/ui/words/format.ts';

describe('formatted numbers', () => {
  it('have units of bytes and never show a thousand of one', () => {
    expect(formatBytes(0, 'en')).toBe('0 bytes');
    expect(formatBytes(1, 'en')).toBe('1 byte');
    expect(formatBytes(999, 'en')).toBe('999 bytes');
    expect(formatBytes(1000, 'en')).toBe('1 kB');
    expect(formatBytes(999_960, 'en')).toBe('1 MB');
    expect(formatBytes(1_234_567, 'en')).toBe('1.2 MB');
    expect(formatBytes(123_456_789, 'en')).toBe('123 MB');
    expect(formatBytes(5 * 1024 ** 4, 'en')).toBe('5.5 TB');
  });

  it('have separators in exact sizes and counts', () => {
    expect(formatExactBytes(1_234_567, 'en')).toBe('1,234,567 bytes');
    expect(formatCount(30_000, 'de')).toBe('30.000');
    expect(formatMebibytes(20 * 1024 * 1024, 'en')).toBe('20\u00A0MiB');
  });

  it('return an invalid date unchanged', () => {
    expect(formatDate('sometime', 'en')).toBe('sometime');
    expect(formatDate('2026-01-02T03:04:05Z', 'en')).toMatch(/2026/);
  });
});

describe('the kind of a file', () => {
  it('depends on its last extension, ignoring case', () => {
    expect(fileKind('a.PNG')).toBe('image');
    expect(fileKind('a.tar.gz')).toBe('archive');
    expect(fileKind('png')).toBe('file');
    expect(fileKind('')).toBe('file');
    expect(fileKind('x.constructor')).toBe('file');
  });
});
