import { describe, expect, it } from 'vitest';
import {
  added,
  kept,
  lossOf,
  nothingSelected,
  only,
  refreshed,
  replacedBy,
  toggled,
  type Selected,
} from '../../../../../renderer/features/uploads/model/upload-selection.ts';
import { refId } from '../../../../../renderer/features/uploads/model/list-query.ts';
import { refOf } from '../fixtures.ts';

const one = (key: string, storedBytes: number | null = null, uploadId = 'u1'): Selected => ({
  ref: refOf(key, uploadId),
  storedBytes,
  stillWriting: false,
});

describe('selected uploads', () => {
  it('keeps two uploads of one key apart', () => {
    const both = added(only(one('k', 1, 'u1')), [one('k', 2, 'u2')]);
    expect(both.size).toBe(2);
    expect(kept(both, new Set([refId(refOf('k', 'u1'))])).size).toBe(1);
  });

  it('toggles', () => {
    const once = toggled(nothingSelected, one('k'));
    expect(once.size).toBe(1);
    expect(toggled(once, one('k', 5)).size).toBe(0);
  });

  it('learns the bytes of what is selected, and selects nothing by that', () => {
    const now = refreshed(replacedBy([one('a'), one('b')]), [one('a', 7), one('c', 9)]);
    expect(now.size).toBe(2);
    expect(lossOf(now.values())).toEqual({ storedBytes: 7, unread: 1, stillWriting: 0 });
  });

  it('stays the same object when nothing changed, so that nothing is drawn again', () => {
    const now = only(one('a'));
    expect(refreshed(now, [one('b', 1)])).toBe(now);
    expect(kept(now, new Set([refId(refOf('a')), refId(refOf('b'))]))).toBe(now);
  });
});
