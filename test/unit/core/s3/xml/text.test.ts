import { afterEach, expect, test } from 'vitest';
import { parseTime } from '../../../../../electron/core/s3/xml/text.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each(['UTC', 'Asia/Tokyo', 'America/St_Johns'])(
  'a time without a zone is read as UTC on a computer in %s',
  (computer) => {
    process.env['TZ'] = computer;
    for (const text of [
      '2026-01-02T03:04:05',
      '2026-01-02T03:04:05.000',
      '2026-01-02 03:04:05',
      'Fri, 02 Jan 2026 03:04:05',
    ])
      expect(parseTime(text)).toBe('2026-01-02T03:04:05.000Z');
  },
);

test.each([
  ['2026-01-02T03:04:05+09:00', '2026-01-01T18:04:05.000Z'],
  ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.500Z'],
  ['Fri, 02 Jan 2026 03:04:05 GMT', '2026-01-02T03:04:05.000Z'],
  ['Fri, 02 Jan 2026 03:04:05 +0100', '2026-01-02T02:04:05.000Z'],
])('a time with a zone is converted to UTC: %s', (text, wanted) => {
  expect(parseTime(text)).toBe(wanted);
});

test('text that is not a time is read as null', () => {
  for (const text of ['', ' ', 'yesterday', null]) expect(parseTime(text)).toBeNull();
});
