import { expect, test } from 'vitest';
import {
  visibleParts,
  type OpenTable,
} from '../../../../renderer/features/viewers/columnar/visible-parts.ts';

/** Returns a table whose batches have `rowsPerPart` rows each. Throws after too many reads, to detect endless loops. */
function tableOfParts(rowsPerPart: number) {
  const asked: string[] = [];
  const file: OpenTable = {
    rowCount: 1000,
    partAt: async (column, row) => {
      asked.push(`${String(column)}:${String(row)}`);
      if (asked.length > 500) throw new Error('The parts are loaded without end.');
      const firstRow = row - (row % rowsPerPart);
      const texts = Array.from(
        { length: rowsPerPart },
        (_, at) => `${String(column)}/${String(firstRow + at)}`,
      );
      return await Promise.resolve({ firstRow, rowCount: rowsPerPart, texts, problem: null });
    },
  };
  return { file, asked };
}

const { signal } = new AbortController();

test.each([1, 3, 7, 128])(
  'the table loads every visible row of every column once for batches of %i rows',
  async (rowsPerPart) => {
    const { file, asked } = tableOfParts(rowsPerPart);
    const errors: unknown[] = [];
    const parts = visibleParts({ file, onChange: () => undefined, onError: (thrown) => errors.push(thrown) });
    parts.show(200, 260);
    parts.load([0, 1], signal);
    await expect.poll(() => parts.textAt(1, 260)).toBe('1/260');
    expect(errors).toEqual([]);
    for (let row = 200; row <= 260; row += 1) expect(parts.textAt(0, row)).toBe(`0/${String(row)}`);
    expect(new Set(asked).size).toBe(asked.length);
    parts.load([0, 1], signal);
    expect(new Set(asked).size).toBe(asked.length);
  },
);

test('the table evicts hidden rows, so scrolling does not fill the memory', async () => {
  const { file } = tableOfParts(10);
  const parts = visibleParts({ file, onChange: () => undefined, onError: () => undefined });
  for (const first of [0, 100, 200, 300]) {
    parts.show(first, first + 49);
    parts.load([0], signal);
    await expect.poll(() => parts.textAt(0, first + 49)).toBeDefined();
  }
  expect(parts.textAt(0, 0)).toBeUndefined();
  expect(parts.textAt(0, 300)).toBe('0/300');
});

test('the table stops if a part lacks the requested row', async () => {
  let times = 0;
  const file: OpenTable = {
    rowCount: 10,
    partAt: async () => {
      times += 1;
      return await Promise.resolve({ firstRow: 900, rowCount: 1, texts: ['elsewhere'], problem: null });
    },
  };
  const changes: number[] = [];
  const parts = visibleParts({ file, onChange: () => changes.push(times), onError: () => undefined });
  parts.load([0], signal);
  await expect.poll(() => changes).toEqual([1]);
  expect(times).toBe(1);
});
