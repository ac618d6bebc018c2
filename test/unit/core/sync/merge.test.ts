import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeByKey } from '../../../../electron/core/sync/compare-pairs.ts';

const keys = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 30 });

function inOrder(list: readonly string[]): { key: string }[] {
  return list.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((key) => ({ key }));
}

test('merging two listings yields every key once, in UTF-8 order, with the sides that have it', () => {
  fc.assert(
    fc.property(keys, keys, (left, right) => {
      const pairs = [...mergeByKey(inOrder(left), inOrder(right))];
      expect(pairs.map(({ key }) => key)).toEqual(
        inOrder([...new Set([...left, ...right])]).map(({ key }) => key),
      );
      for (const { key, local, remote } of pairs) {
        expect(local?.key ?? null).toBe(left.includes(key) ? key : null);
        expect(remote?.key ?? null).toBe(right.includes(key) ? key : null);
      }
    }),
  );
});
