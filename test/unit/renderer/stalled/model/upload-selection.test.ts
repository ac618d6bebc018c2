import { describe, expect, it } from 'vitest';
import {
  lossOf,
  selectedRow,
  type Selected,
} from '../../../../../renderer/features/stalled/model/upload-selection.ts';
import { refOf } from '../fixtures.ts';

const selectedUpload = (key: string, storedBytes: number | null = null, uploadId = 'u1'): Selected => ({
  ref: refOf(key, uploadId),
  storedBytes,
  stillWriting: false,
});

describe('selected stalled uploads', () => {
  it('include two uploads of one key separately', () => {
    expect(new Map([selectedUpload('k', 1, 'u1'), selectedUpload('k', 2, 'u2')].map(selectedRow)).size).toBe(
      2,
    );
  });

  it('sum the known bytes and count the unread uploads', () => {
    const writing = { ...selectedUpload('c', 2), stillWriting: true };
    expect(lossOf([selectedUpload('a', 7), selectedUpload('b'), writing])).toEqual({
      storedBytes: 9,
      unread: 1,
      stillWriting: 1,
    });
    expect(lossOf([])).toEqual({ storedBytes: 0, unread: 0, stillWriting: 0 });
  });
});
