import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileKind } from '../../../../../shared/keys/file-kind.ts';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDate,
  formatExactBytes,
  formatSpan,
} from '../../../../../renderer/ui/words/format.ts';

describe('formatted values', () => {
  it('are in powers of 1024, and never show 1,024 of a unit', () => {
    expect(formatBytes(0, 'en')).toBe('0 bytes');
    expect(formatBytes(1, 'en')).toBe('1 byte');
    expect(formatBytes(1023, 'en')).toBe('1,023 bytes');
    expect(formatBytes(1024, 'en')).toBe('1\u00A0KiB');
    expect(formatBytes(1024 ** 2 - 1, 'en')).toBe('1\u00A0MiB');
    expect(formatBytes(1.25 * 1024 ** 2, 'en')).toBe('1.3\u00A0MiB');
    expect(formatBytes(123_456_789, 'de')).toBe('118\u00A0MiB');
    expect(formatBytes(5.5 * 1024 ** 4, 'de')).toBe('5,5\u00A0TiB');
  });

  it('never show 1,024 of a unit, whatever the size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1024 ** 5 }), (size) => {
        expect(Number.parseFloat(formatBytes(size, 'en').replace(',', ''))).toBeLessThan(1024);
      }),
    );
  });

  it('have separators in exact sizes and counts', () => {
    expect(formatExactBytes(1_234_567, 'en')).toBe('1,234,567 bytes');
    expect(formatCount(30_000, 'de')).toBe('30.000');
  });

  it('are the original text for an invalid date', () => {
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

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a time span', () => {
  it('is formatted in common units', () => {
    expect(formatSpan(0, 'en')).toBe('1 sec');
    expect(formatSpan(12_400, 'en')).toBe('12 sec');
    expect(formatSpan(3 * minute, 'en')).toBe('3 min');
    expect(formatSpan(59.7 * minute, 'en')).toBe('1 hr');
    expect(formatSpan(2 * hour + 5 * minute, 'en')).toBe('2 hr 5 min');
    expect(formatSpan(3.4 * day, 'en')).toBe('3 days');
  });

  it('in the past is never rounded up', () => {
    expect(formatAge(59_000, 'en')).toBeNull();
    expect(formatAge(-5, 'en')).toBeNull();
    expect(formatAge(Number.NaN, 'en')).toBeNull();
    expect(formatAge(119 * minute, 'en')).toBe('1 hour');
    expect(formatAge(47 * hour, 'en')).toBe('47 hours');
    expect(formatAge(89 * day, 'en')).toBe('89 days');
    expect(formatAge(400 * day, 'en')).toBe('13 months');
  });
});
