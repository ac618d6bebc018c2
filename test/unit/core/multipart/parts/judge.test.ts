import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedPart } from '../../../../../electron/core/s3/model/multipart-types.ts';
import {
  guessLayout,
  layoutsOfShorterFile,
  type Comparison,
  type Layout,
} from '../../../../../electron/core/multipart/parts/layout.ts';
import {
  compare,
  comparisonsOf,
  judgeParts,
  matchedBytes,
  partsBeyond,
  type HashLookup,
  type Judgement,
} from '../../../../../electron/core/multipart/parts/judge.ts';
import { sortParts } from '../../../../../electron/core/multipart/parts/part-list.ts';
import { maxPartCount } from '../../../../../shared/models/stalled.ts';
import { bytesOf } from '../../../../support/core/uploads-rig.ts';
import { MiB, part, parts } from './made-parts.ts';

/** The limits of a service about which nothing is known yet. */
const limits = { fitting: (_sizeBytes: number, wantedBytes: number) => wantedBytes };

// A minimum part size of 10 bytes keeps the files in these tests small. The rules are the same.
const smallest = 10;
const rules = { equalPartSizes: false, minPartBytes: smallest, limits };
const options = { etagsAreNotMd5: false, minPartBytes: smallest };

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** Returns a listed part with these bytes of the file. */
function holding(file: Buffer, partNumber: number, offset: number, size: number): ListedPart {
  const slice = file.subarray(offset, offset + size);
  return part(partNumber, slice.byteLength, { etag: `"${md5(slice)}"` });
}

function lookupIn(file: Buffer): HashLookup {
  return (offset, size) => ({ md5: md5(file.subarray(offset, offset + size)), checksums: {} });
}

/** Plans a resume as plan-resume.ts does, with hashes from memory. */
function planFor(
  file: Buffer,
  listed: readonly ListedPart[],
  equalPartSizes = false,
): Judgement & { layout: Layout } {
  const sorted = sortParts(listed);
  const lookup = lookupIn(file);
  const isSame = ({ offset, part: listed }: Comparison): boolean => {
    const hash = lookup(offset, listed.sizeBytes);
    return hash !== undefined && compare(listed, hash, options) === 'same';
  };
  const use = { ...rules, equalPartSizes };
  let guess = guessLayout(sorted, file.byteLength, use, null);
  if (guess.kind === 'probe') guess = guessLayout(sorted, file.byteLength, use, guess.probes.filter(isSame));
  if (guess.kind !== 'layouts') throw new Error(`refused: ${JSON.stringify(guess)}`);
  const [best] = guess.layouts.toSorted(
    (left, right) => matchedBytes(right, lookup, options) - matchedBytes(left, lookup, options),
  );
  if (best === undefined) throw new Error('no layout');
  const wanted = new Set(
    comparisonsOf(best, options).map(({ offset, part: listed }) => `${offset} ${listed.sizeBytes}`),
  );
  const limited: HashLookup = (offset, size) =>
    wanted.has(`${offset} ${size}`) ? lookup(offset, size) : undefined;
  return { ...judgeParts(best, limited, options), layout: best };
}

function statesOf(plan: Judgement): string[] {
  return plan.slots.map((slot) => slot.state);
}

const file = bytesOf(95, 1);

describe('judging the part size', () => {
  test('takes the size that all but the last part share, and the rest as the last part', () => {
    const plan = planFor(file, [holding(file, 1, 0, 20), holding(file, 3, 40, 20), holding(file, 5, 80, 15)]);
    expect(plan.layout).toMatchObject({ source: 'shared-size', partSizeBytes: 20 });
    expect(statesOf(plan)).toEqual(['verified', 'missing', 'verified', 'missing', 'verified']);
    expect(plan.bytesToSend).toBe(40);
  });

  test('finds the offset of a single middle part by its hash', () => {
    const plan = planFor(file, [holding(file, 3, 40, 20)]);
    expect(plan.layout.partSizeBytes).toBe(20);
    expect(statesOf(plan)).toEqual(['missing', 'missing', 'verified', 'missing', 'missing']);
  });

  test('derives the size from the bytes before a single last part', () => {
    const plan = planFor(file, [holding(file, 5, 80, 15)]);
    expect(plan.layout.partSizeBytes).toBe(20);
    expect(statesOf(plan).at(-1)).toBe('verified');
  });

  test('chooses a size if there is no part', () => {
    const guess = guessLayout([], 100 * MiB, rules, null);
    expect(guess).toMatchObject({ kind: 'layouts', layouts: [{ source: 'chosen', partSizeBytes: 8 * MiB }] });
  });
});

describe('judging parts of several sizes', () => {
  test('uses cumulative offsets up to the first gap', () => {
    const plan = planFor(file, [holding(file, 1, 0, 12), holding(file, 2, 12, 30), holding(file, 3, 42, 17)]);
    expect(plan.layout.source).toBe('cumulative');
    expect(statesOf(plan).slice(0, 3)).toEqual(['verified', 'verified', 'verified']);
  });

  test('keeps a part after a gap if its hash matches and replaces it otherwise', () => {
    // The bytes of each part: 1 has 0-12, 2 has 12-42, the missing part 3 would have 42-72, and 4 has 72-89.
    const kept = planFor(file, [holding(file, 1, 0, 12), holding(file, 2, 12, 30), holding(file, 4, 72, 17)]);
    expect(statesOf(kept).slice(0, 4)).toEqual(['verified', 'verified', 'missing', 'verified']);
    expect(kept.slots[2]).toMatchObject({ offset: 42, sizeBytes: 30 });
    const other = planFor(file, [holding(file, 1, 0, 12), holding(file, 2, 12, 30), part(4, 17)]);
    expect(other.slots[3]?.state).not.toBe('verified');
  });

  test('keeps the shared size for a service that requires equal parts (R2)', () => {
    const plan = planFor(
      file,
      [holding(file, 1, 0, 20), holding(file, 2, 20, 20), holding(file, 3, 40, 30), holding(file, 4, 60, 20)],
      true,
    );
    expect(plan.layout.partSizeBytes).toBe(20);
    expect(new Set(plan.slots.slice(0, -1).map((slot) => slot.sizeBytes))).toEqual(new Set([20]));
  });
});

describe('judging a file before sending a byte', () => {
  test('refuses it if all parts differ, so the file or the ETags are wrong', () => {
    expect(planFor(file, parts([1, 20], [2, 20])).refusal).toBe('all-differ');
  });
  test('refuses it if it is shorter than the stored parts', () => {
    expect(guessLayout(parts([1, 50], [2, 50]), 95, rules, null)).toMatchObject({ refusal: 'too-short' });
    expect(planFor(file, [holding(file, 1, 0, 20), holding(file, 2, 20, 20), part(9, 20)]).refusal).toBe(
      'too-short',
    );
  });
  test('leaves out surplus parts beyond a fully proved file', () => {
    const all = [0, 1, 2, 3, 4].map((index) => holding(file, index + 1, index * 20, 20));
    const plan = planFor(file, [...all, part(6, 20)]);
    expect(plan.refusal).toBeNull();
    expect(plan.layout.surplus.map((listed) => listed.partNumber)).toEqual([6]);
    expect(plan.slots).toHaveLength(5);
  });
  test('accepts an end within a part, replaces that part and leaves later ones out', () => {
    const five = parts([1, 20], [2, 20], [3, 20], [4, 20], [5, 20]);
    const [layout] = layoutsOfShorterFile(five, 50, rules);
    expect(layout?.slots.map((slot) => slot.sizeBytes)).toEqual([20, 20, 10]);
    expect(layout?.straddling?.partNumber).toBe(3);
    expect(layout?.surplus.map((listed) => listed.partNumber)).toEqual([4, 5]);
    expect(layout === undefined ? null : partsBeyond(layout)).toEqual([3, 4, 5]);
    const mixed = parts([1, 20], [2, 30], [3, 20], [4, 7]);
    const [cumulative] = layoutsOfShorterFile(mixed, 60, rules);
    expect(cumulative?.slots.map((slot) => slot.sizeBytes)).toEqual([20, 30, 10]);
    expect(cumulative === undefined ? null : partsBeyond(cumulative)).toEqual([3, 4]);
    expect(layoutsOfShorterFile(mixed, 60, { ...rules, equalPartSizes: true })).toEqual([]);
  });
  test('refuses more than 10,000 parts', () => {
    expect(guessLayout(parts([1, 10], [2, 10]), 100_001, rules, null)).toMatchObject({
      refusal: 'too-many-parts',
    });
  });
  test('refuses a part above 5 GiB', () => {
    const six = 6 * 1024 * MiB;
    expect(guessLayout(parts([1, six], [2, six]), 20 * six, rules, null)).toMatchObject({
      refusal: 'part-too-large',
    });
  });
});

describe('judging each part', () => {
  test('replaces a part below the minimum size that is not the last, and counts it', () => {
    const plan = planFor(file, [holding(file, 1, 0, 20), holding(file, 2, 20, 4), holding(file, 3, 24, 20)]);
    expect(plan.slots[0]?.state).toBe('verified');
    expect(plan.counts['too-small']).toBe(1);
    expect(plan.slots.slice(0, -1).every((slot) => slot.sizeBytes >= smallest)).toBe(true);
  });
  test('uses parts too small to keep to prove or refuse the file', () => {
    const small = [0, 1, 2].map((index) => holding(file, index + 1, index * 4, 4));
    expect(planFor(file, small).refusal).toBeNull();
    expect(planFor(file, parts([1, 4], [2, 4], [3, 4])).refusal).toBe('all-differ');
  });
  test('marks a part unverifiable if its ETag is not an MD5', () => {
    const listed = [holding(file, 1, 0, 20), part(2, 20, { etag: '"not-md5-at-all"' })];
    expect(statesOf(planFor(file, listed)).slice(0, 2)).toEqual(['verified', 'unverifiable']);
  });
  test('verifies by checksum a part whose ETag only looks like an MD5 (KMS)', () => {
    const sealed = part(1, 20, { checksums: { sha256: 'right' } });
    expect(compare(sealed, { md5: 'x', checksums: { sha256: 'right' } }, options)).toBe('same');
    expect(compare(sealed, { md5: 'x', checksums: { sha256: 'wrong' } }, options)).toBe('differs');
  });
});

test('the parts of a plan are numbered from 1 and cover exactly the file, whatever is listed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 400 }),
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 60 })), {
        selector: ([number]) => number,
        maxLength: 20,
      }),
      fc.boolean(),
      (size, list, equal) => {
        const sorted = sortParts(list.map(([number, bytes]) => part(number, bytes)));
        let guess = guessLayout(sorted, size, { ...rules, equalPartSizes: equal }, null);
        if (guess.kind === 'probe')
          guess = guessLayout(sorted, size, { ...rules, equalPartSizes: equal }, guess.probes);
        if (guess.kind !== 'layouts') return guess.kind === 'refused';
        expect(guess.layouts.every((layout) => isSound(layout, size))).toBe(true);
        return true;
      },
    ),
    { numRuns: 2000 },
  );
});

function isSound(layout: Layout, size: number): boolean {
  let end = 0;
  for (const [index, slot] of layout.slots.entries()) {
    const isLast = index === layout.slots.length - 1;
    if (slot.partNumber !== index + 1 || slot.offset !== end) return false;
    if (!isLast && slot.sizeBytes < smallest) return false;
    if (slot.listed !== null && slot.listed.partNumber !== slot.partNumber) return false;
    end += slot.sizeBytes;
  }
  return end === size && layout.slots.length >= 1 && layout.slots.length <= maxPartCount;
}

test('a plan verifies every part that a client really uploaded from the file, for any missing parts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 30, max: 400 }),
      fc.integer({ min: smallest, max: 60 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (size, partSize, present) => {
        const bytes = bytesOf(size, size);
        const count = Math.ceil(size / partSize);
        const listed: ListedPart[] = [];
        for (let number = 1; number <= count; number += 1)
          if (present[number % 40] === true)
            listed.push(holding(bytes, number, (number - 1) * partSize, partSize));
        if (listed.length < 2) return true;
        const plan = planFor(bytes, listed);
        expect(plan).toMatchObject({ refusal: null, counts: { verified: listed.length, differs: 0 } });
        return true;
      },
    ),
    { numRuns: 1000 },
  );
});
