import { describe, expect, it } from 'vitest';
import { textOf } from '../../../support/servers/s3-client.ts';
import { inV1, type Suite } from '../suite.ts';
import { outcomeOf } from '../target.ts';

const oddKeys = [
  '.',
  '..',
  'a/../b',
  './x',
  'x//y',
  '//',
  '/lead',
  'trail/',
  ' lead and trail ',
  ' ',
  '+ %2B % %25 &amp; <>"\'',
  "? # ' ( ) * ! ; : @ = , $ [ ] { } | \\ ^ ` ~",
  '007',
  'true',
  'ключ/файл',
  '日本語',
  '\u{1f600}',
  'e\u0301',
  'é',
  '\ufffd',
  'tab\there',
  'line\nbreak',
  'return\rhere',
  'control\u0001\u001f\u007f',
  'rtl\u202edne',
  'k'.repeat(1024),
];

/** XML 1.0 cannot contain these characters: a listing names such a key only with encoding-type=url. */
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/u;

export function keyCases({ client, bucket, note, put, all, needing }: Suite): void {
  describe('keys', () => {
    it.each(
      oddKeys.map((key) => [
        key.length > 40 ? `${key.slice(0, 10)}… (${key.length})` : JSON.stringify(key),
        key,
      ]),
    )('%s can be written, read, listed and deleted', async (label, key) => {
      const written = await outcomeOf(put(key, `content of ${key}`));
      note(`key ${label}`, written);
      expect(written).toBe('success');
      const object = await client.getObject({ bucket, key });
      expect(await textOf(object.body)).toBe(`content of ${key}`);
      const feature = notInXml.test(key) ? 'encoding-type' : null;
      await needing(feature, async () => {
        try {
          expect(await all({ prefix: key })).toContain(key);
          expect(await all({ prefix: key, pageToken: inV1 })).toContain(key);
        } finally {
          await client.deleteObject({ bucket, key });
        }
        expect(await all({ prefix: key })).not.toContain(key);
      });
    });

    it('a and a/ are two objects', async () => {
      await put('twin', 'file');
      await put('twin/', '');
      const page = await client.listObjects({ bucket, prefix: 'twin', delimiter: '/' });
      expect(page.objects.map(({ key }) => key)).toEqual(['twin']);
      expect(page.commonPrefixes).toEqual(['twin/']);
      expect((await client.headObject({ bucket, key: 'twin/' })).sizeBytes).toBe(0);
    });

    it('of more than 1024 bytes are refused', async () => {
      const outcome = await outcomeOf(put('k'.repeat(1025)));
      note('key of 1025 bytes', outcome);
      expect(outcome).not.toBe('success');
    });

    it('are deleted in one request, and missing ones count as deleted', async () => {
      const keys = ['del/a&b', 'del/c d', "del/'e'", 'del/return\rhere'];
      for (const key of keys) await put(key);
      await needing('DeleteObjects', async () => {
        const results = await client.deleteObjects({
          bucket,
          keys: [...keys, 'del/absent'].map((key) => ({ key })),
        });
        expect(results.map(({ key, error }) => ({ key, error }))).toEqual(
          [...keys, 'del/absent'].map((key) => ({ key, error: null })),
        );
        expect(await all({ prefix: 'del/' })).toEqual([]);
      });
    });
  });
}
