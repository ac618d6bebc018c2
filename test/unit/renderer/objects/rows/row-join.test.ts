import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowJoin, type RowsPiece } from '../../../../../renderer/features/objects/rows/row-join.ts';

const cuts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 30 });

function piecesOf(bounds: readonly string[]): readonly RowsPiece<readonly number[]>[] {
  const starts = ['', ...bounds];
  return starts.map((after, index) => {
    const upTo = bounds[index] ?? null;
    return { after, upTo, nextPageToken: upTo === null ? null : `token ${upTo}`, rows: [index] };
  });
}

test('pieces of rows are joined in order, none before all preceding ones have arrived', () => {
  fc.assert(
    fc.property(cuts, fc.infiniteStream(fc.nat()), (bounds, chance) => {
      const pieces = piecesOf(bounds);
      const order = pieces
        .map((piece) => ({ piece, at: chance.next().value ?? 0 }))
        .toSorted((left, right) => left.at - right.at);
      const join = new RowJoin<readonly number[]>('');
      const arrived = new Set<number>();
      const joined: number[] = [];
      for (const { piece } of order) {
        join.add(piece);
        for (const row of piece.rows) arrived.add(row);
        for (const { rows } of join.take()) joined.push(...rows);
        // The joined rows have no gap from the start, and every row that can be joined is joined.
        expect(joined).toEqual(joined.map((_, index) => index));
        expect(arrived.has(joined.length)).toBe(false);
        expect(join.waitingCount).toBe(arrived.size - joined.length);
      }
      expect(joined).toHaveLength(pieces.length);
      expect(join.isWhole).toBe(true);
    }),
  );
});
