import { describe, expect, it } from 'vitest';
import { formatAge, formatSpan } from '../../../../../renderer/ui/words/span.ts';

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
