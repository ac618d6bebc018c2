import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedAttributes,
  changedTags,
  hasAttributes,
} from '../../../../../electron/core/operations/changes/change-plan.ts';
import { sameTags } from '../../../../../electron/core/s3/conditions/proved-change.ts';
import type { ObjectHead } from '../../../../../electron/core/s3/model/object-types.ts';
import { changePatchSchema, resetsOf, rewritesObject } from '../../../../../shared/models/operations.ts';

const head: ObjectHead = {
  sizeBytes: 5,
  etag: '"0"',
  lastModified: '2026-01-01T00:00:00.000Z',
  contentType: 'text/plain',
  storageClass: 'COLD',
  versionId: null,
  metadata: { a: '1', b: '2' },
  headers: {
    'content-type': 'text/plain',
    'cache-control': 'no-cache',
    expires: 'Wed, 21 Oct 2026 07:28:00 GMT',
    'x-amz-website-redirect-location': '/x',
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'key',
  },
};
const none = { replaceAll: false, set: {}, remove: [] };

describe('the attributes of an object after a change', () => {
  test('equal the old ones if nothing changes', () => {
    const same = changedAttributes(head, {});
    expect(hasAttributes(head, same)).toBe(true);
    expect(same).toMatchObject({ contentType: 'text/plain', cacheControl: 'no-cache', storageClass: 'COLD' });
    expect(same.headers).toEqual({
      expires: 'Wed, 21 Oct 2026 07:28:00 GMT',
      'x-amz-website-redirect-location': '/x',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key',
    });
  });

  test('lose a field set to null and keep an absent one', () => {
    expect(changedAttributes(head, { cacheControl: null })).not.toHaveProperty('cacheControl');
    expect(changedAttributes(head, { expires: null }).headers).not.toHaveProperty('expires');
    expect(changedAttributes(head, { contentEncoding: 'gzip' })).toMatchObject({
      contentEncoding: 'gzip',
      cacheControl: 'no-cache',
    });
  });

  test('merge metadata under lower-case names', () => {
    expect(
      changedAttributes(head, { metadata: { ...none, set: { B: '3' }, remove: ['A'] } }).metadata,
    ).toEqual({ b: '3' });
    expect(
      changedAttributes(head, { metadata: { replaceAll: true, set: { c: '4' }, remove: [] } }).metadata,
    ).toEqual({ c: '4' });
  });

  test('differ from the wanted ones if any field differs', () => {
    const wanted = changedAttributes(head, { contentType: 'image/png' });
    expect(hasAttributes(head, wanted)).toBe(false);
    expect(
      hasAttributes(
        { ...head, headers: { ...head.headers, 'x-amz-meta-a': '1' } },
        changedAttributes(head, {}),
      ),
    ).toBe(false);
    expect(hasAttributes({ ...head, storageClass: null }, changedAttributes(head, {}))).toBe(false);
  });

  test('reject an expiry that is not a date', () => {
    expect(() => changedAttributes(head, { expires: 'tomorrow' })).toThrow(/not a valid time/);
  });
});

test('set tags take precedence over removed ones, and the others stay', () => {
  const tags = fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(
      tags,
      tags,
      fc.array(fc.string({ minLength: 1, maxLength: 3 })),
      fc.boolean(),
      (before, set, remove, replaceAll) => {
        const list = Object.entries(before).map(([key, value]) => ({ key, value }));
        const after = new Map(
          changedTags(list, { replaceAll, set, remove }).map(({ key, value }) => [key, value]),
        );
        for (const [key, value] of Object.entries(set)) expect(after.get(key)).toBe(value);
        for (const [key, value] of Object.entries(before).filter(([name]) => !Object.hasOwn(set, name)))
          expect(after.get(key)).toBe(replaceAll || remove.includes(key) ? undefined : value);
        expect(sameTags(list, list.toReversed())).toBe(true);
      },
    ),
  );
});

test('a change of tags alone resets nothing; any other rewrites the object and lists what that resets', () => {
  expect(resetsOf({ tags: none })).toEqual([]);
  expect(rewritesObject({ tags: none })).toBe(false);
  for (const name of Object.keys(changePatchSchema.shape).filter((known) => known !== 'tags'))
    expect(rewritesObject({ [name]: name === 'metadata' ? none : 'x' })).toBe(true);
  expect(resetsOf({ storageClass: 'COLD' })).toContain('acl');
});
