import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { judgeRelayed, OrderedMd5 } from '../../../../../electron/core/operations/copies/prove-relayed.ts';

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 12 });

describe('the MD5 of a relayed object', () => {
  test('is computed in part order, in whatever order the parts arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        parts.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all.keys()], { minLength: all.length, maxLength: all.length }),
          ),
        ),
        async ([all, order]) => {
          const whole = new OrderedMd5(all.length);
          await Promise.all(
            order.map(async (index) => await whole.add(index, all[index] ?? new Uint8Array())),
          );
          expect(whole.digest()).toBe(md5(Buffer.concat(all)));
        },
      ),
    );
  });

  test('rejects waiting parts when one fails', async () => {
    const whole = new OrderedMd5(3);
    const late = whole.add(2, new Uint8Array(1));
    whole.fail(new Error('gone'));
    await expect(late).rejects.toThrow('gone');
  });
});

describe('the proof of relayed bytes', () => {
  const [first, second] = [Buffer.from('first'), Buffer.from('second')];
  const wholeMd5 = md5(Buffer.concat([first, second]));
  const partMd5s = [md5(first), md5(second)];
  const composite = `"${md5(Buffer.from(partMd5s.join(''), 'hex'))}-2"`;

  test("succeeds if the whole's MD5 matches the source's ETag, and fails as damaged otherwise", () => {
    const source = { etag: `"${wholeMd5}"`, headers: {} };
    expect(judgeRelayed(source, { wholeMd5, partMd5s })).toBe('proved');
    expect(() => judgeRelayed(source, { wholeMd5: md5(first), partMd5s })).toThrow('MD5');
  });

  test('succeeds if the MD5s of equally cut parts match, and is unknown for other cuts', () => {
    expect(judgeRelayed({ etag: composite, headers: {} }, { wholeMd5: null, partMd5s })).toBe('proved');
    expect(
      judgeRelayed({ etag: composite, headers: {} }, { wholeMd5: null, partMd5s: [md5(first), null] }),
    ).toBe('unknown');
  });

  test("is unknown if the source's ETag is not an MD5", () => {
    const headers = { 'x-amz-server-side-encryption': 'aws:kms' };
    expect(judgeRelayed({ etag: `"${wholeMd5}"`, headers }, { wholeMd5: md5(first), partMd5s })).toBe(
      'unknown',
    );
    expect(judgeRelayed({ etag: null, headers: {} }, { wholeMd5, partMd5s })).toBe('unknown');
  });
});
