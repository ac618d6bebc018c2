import { beforeAll, describe, expect, it } from 'vitest';
import { compareUtf8 } from '../../../../electron/core/s3/model/encode.ts';
import { bare, md5Hex, quoting } from '../etags.ts';
import { inV1, listed, type Suite } from '../suite.ts';

export function listingCases({ client, bucket, note, put, all, ask }: Suite): void {
  describe('listing', () => {
    const keys = ['a', 'a/1', 'a/2', 'a0', 'b/c/d', 'b/e', '\uffee', '\u{10000}', 'z z', 'z+z', 'f +%41é/x'];

    beforeAll(async () => {
      for (const key of keys) await put(`list/${key}`);
    });

    it('returns every key once in UTF-8 order for any page size, in V2 and V1', async () => {
      const expected = listed(keys).toSorted(compareUtf8);
      for (const maxKeys of [1, 2, 3, 1000]) {
        expect(await all({ prefix: 'list/', maxKeys })).toEqual(expected);
        expect(await all({ prefix: 'list/', maxKeys, pageToken: inV1 })).toEqual(expected);
      }
    });

    it('returns each folder once with a delimiter, also over pages', async () => {
      const folders = ['a/', 'b/', 'f +%41é/'];
      const expected = listed(['a', 'a0', '\uffee', '\u{10000}', 'z z', 'z+z', ...folders]).toSorted();
      for (const maxKeys of [1, 2, 3, 1000]) {
        const input = { prefix: 'list/', delimiter: '/', maxKeys };
        expect((await all(input)).toSorted()).toEqual(expected);
        expect((await all({ ...input, pageToken: inV1 })).toSorted()).toEqual(expected);
      }
    });

    it('starts after a start-after key, whether it exists or not', async () => {
      const after = listed(keys).toSorted(compareUtf8).slice(3);
      const from = listed(keys).toSorted(compareUtf8)[2] ?? '';
      expect(await all({ prefix: 'list/', startAfter: from })).toEqual(after);
      expect(await all({ prefix: 'list/', startAfter: `${from}!` })).toEqual(after);
    });

    it('notes start-after inside a common prefix, which real servers skip', async () => {
      const got = await all({ prefix: 'list/', delimiter: '/', startAfter: 'list/a/1' });
      note('start-after inside a common prefix', got.includes('list/a/') ? 'lists it' : 'skips it');
      expect(got).toContain('list/b/');
    });

    it('returns every field of an object', async () => {
      const { objects } = await client.listObjects({ bucket, prefix: 'list/a0' });
      expect(objects[0]).toMatchObject({ key: 'list/a0', sizeBytes: 1 });
      expect(bare(objects[0]?.etag ?? null)).toBe(md5Hex(Buffer.from('x')));
      expect(Date.parse(objects[0]?.lastModified ?? '')).toBeGreaterThan(Date.now() - 600_000);
      note('StorageClass of a listed object', objects[0]?.storageClass ?? null);
      note('ETag in a listing', quoting(objects[0]?.etag ?? null));
    });

    it('of a missing folder is empty without an error', async () => {
      expect(await all({ prefix: 'nothing/', delimiter: '/' })).toEqual([]);
    });

    it('notes other XML elements of the response', async () => {
      expect((await ask({})).status).toBe(200);
      const encoded = (await ask({ 'encoding-type': 'url', 'list-type': '2' })).text;
      note('encoding-type=url: a space is', /z\+z</.test(encoded) ? '+' : '%20');
      note('encoding-type=url: a slash is', /list%2F/i.test(encoded) ? '%2F' : '/');
      note('EncodingType is echoed', encoded.includes('<EncodingType>url'));
      const v1 = (await ask({ 'max-keys': '1' })).text;
      note('V1 without a delimiter gives NextMarker', v1.includes('<NextMarker>'));
      note('V1 gives an Owner', v1.includes('<Owner>'));
      const v2 = (await ask({ 'list-type': '2', delimiter: '/' })).text;
      note('KeyCount with a delimiter', /<KeyCount>(\d+)/.exec(v2)?.[1] ?? 'absent');
      const zero = await ask({ 'list-type': '2', 'max-keys': '0' });
      note('max-keys=0', `${zero.status} truncated=${/<IsTruncated>(\w+)/.exec(zero.text)?.[1]}`);
      const many = await ask({ 'list-type': '2', 'max-keys': '5000' });
      note('max-keys=5000 is echoed as', /<MaxKeys>(\d+)/.exec(many.text)?.[1] ?? `${many.status}`);
      for (const [label, query] of [
        ['max-keys=-1', { 'max-keys': '-1' }],
        ['max-keys=abc', { 'max-keys': 'abc' }],
        ['list-type=3', { 'list-type': '3' }],
        ['encoding-type=base64', { 'encoding-type': 'base64' }],
        ['a made-up continuation-token', { 'list-type': '2', 'continuation-token': 'made-up' }],
      ] as const) {
        const reply = await ask(query);
        note(label, `${reply.status} ${/<Code>(\w+)/.exec(reply.text)?.[1] ?? ''}`.trim());
      }
    });
  });
}
