import { describe, expect, it } from 'vitest';
import {
  lossOf,
  selectedRow,
  type Selected,
} from '../../../../../renderer/features/stalled/model/upload-selection.ts';
import { refOf } from '../fixtures.ts';

const one = (key: string, storedBytes: number | null = null, uploadId = 'u1'): Selected => ({
  ref: refOf(key, uploadId),
  storedBytes,
  stillWriting: false,
});

describe('selected stalled uploads', () => {
  it('include two uploads of one key separately', () => {
    expect(new Map([one('k', 1, 'u1'), one('k', 2, 'u2')].map(selectedRow)).size).toBe(2);
  });

  it('sum the known bytes and count the unread uploads', () => {
    const writing = { ...one('c', 2), stillWriting: true };
    expect(lossOf([one('a', 7), one('b'), writing])).toEqual({ storedBytes: 9, unread: 1, stillWriting: 1 });
    expect(lossOf([])).toEqual({ storedBytes: 0, unread: 0, stillWriting: 0 });
  });
});
