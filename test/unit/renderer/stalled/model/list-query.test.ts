import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  begunBefore,
  defaultSort,
  isFiltered,
  storedSort,
  needsParts,
  noUploadFilter,
  refId,
  toggledVerdict,
  totalsText,
  uploadColumns,
} from '../../../../../renderer/features/stalled/model/list-query.ts';
import { firstColumnsView, fittingColumns, sortingOf } from '../../../../../renderer/ui/table/columns.ts';
import { verdicts, type UploadSort } from '../../../../../shared/models/stalled.ts';
import { englishWords } from '../../words.ts';

describe('sorting and filtering stalled uploads', () => {
  it('reverses the order when a column is clicked again', () => {
    let sort = defaultSort;
    const click = (id: UploadSort['by']): UploadSort => {
      const column = uploadColumns(true).find((candidate) => candidate.id === id);
      if (column === undefined) throw new Error(`no column ${id}`);
      sortingOf(sort, (next: UploadSort) => (sort = next), column).onSort();
      return sort;
    };
    expect(click('bytes')).toEqual({ by: 'bytes', descending: true });
    expect(click('bytes')).toEqual({ by: 'bytes', descending: false });
    expect(click('key')).toEqual({ by: 'key', descending: false });
  });

  it('reads the parts of every row only if the order or filter needs them', () => {
    expect(needsParts(defaultSort, noUploadFilter)).toBeNull();
    expect(needsParts({ by: 'bytes', descending: true }, noUploadFilter)).toBe('sort');
    expect(needsParts(defaultSort, { ...noUploadFilter, verdicts: ['has-gaps'] })).toBe('filter');
    expect(needsParts(defaultSort, { ...noUploadFilter, verdicts: ['unread'] })).toBeNull();
  });

  it('treats no verdict and every verdict as no filter', () => {
    const gaps = toggledVerdict(noUploadFilter, 'has-gaps');
    expect(gaps.verdicts).toEqual(['has-gaps']);
    expect(toggledVerdict(gaps, 'has-gaps')).toEqual(noUploadFilter);
    let all = noUploadFilter;
    for (const verdict of verdicts) all = toggledVerdict(all, verdict);
    expect(all.verdicts).toBeNull();
    expect(isFiltered(all)).toBe(false);
  });

  it('keeps key, bucket and verdict visible in a narrow window', () => {
    for (const width of [420, 700, 1000, 2000]) {
      const shown = fittingColumns(uploadColumns(true), firstColumnsView, width).map(({ id }) => id);
      for (const id of ['key', 'verdict', 'bucket'] as const) expect(shown).toContain(id);
    }
    expect(uploadColumns(false).map(({ id }) => id)).not.toContain('bucket');
  });

  it('restores the stored order if its column still exists', () => {
    expect(storedSort(null)).toEqual(defaultSort);
    expect(storedSort({ by: 'parts', descending: false })).toEqual({ by: 'parts', descending: false });
    expect(storedSort({ by: 'of a later version', descending: false })).toEqual(defaultSort);
  });
});

describe('the filter "older than N days"', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z');

  it('is converted to a date', () => {
    expect(begunBefore('7', now)).toBe('2026-03-03T12:00:00.000Z');
  });

  it('is null for an invalid number of days', () => {
    for (const wrong of ['', ' ', '0', '-1', '1.5', 'seven', '1e9'])
      expect(begunBefore(wrong, now)).toBeNull();
  });
});

const idOf = ([bucket, key, uploadId]: readonly [string, string, string]) => refId({ bucket, key, uploadId });

describe('the identity of an upload', () => {
  const text = fc.string({ unit: 'binary' });

  it('differs for different uploads with any keys', () => {
    fc.assert(
      fc.property(fc.tuple(text, text, text), fc.tuple(text, text, text), (a, b) => {
        expect(idOf(a) === idOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});

const t = await englishWords();

const read = { storedBytes: 3.4 * 1024 ** 3, unread: 0, oldestAt: null };

test('the list of stalled uploads shows their number and stored bytes', () => {
  expect(totalsText({ found: 12, totals: read }, t)).toBe('12 uploads, 3.4\u00A0GiB stored');
  expect(totalsText({ found: 1, totals: read }, t)).toBe('1 upload, 3.4\u00A0GiB stored');
});

test('stored bytes are shown as a lower bound while some uploads are unread, and not at all if all are', () => {
  expect(totalsText({ found: 12, totals: { ...read, unread: 4 } }, t)).toBe(
    '12 uploads, at least 3.4\u00A0GiB stored',
  );
  expect(totalsText({ found: 12, totals: { ...read, storedBytes: 0, unread: 12 } }, t)).toBe('12 uploads');
});

test('the oldest stalled upload is shown with its date', () => {
  const totals = { ...read, oldestAt: '2025-05-03T12:00:00.000Z' };
  expect(totalsText({ found: 2, totals }, t)).toMatch(/, oldest from .*2025/u);
});
