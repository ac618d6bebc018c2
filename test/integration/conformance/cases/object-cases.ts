import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bytesSource, errorOf, streamSource, textOf } from '../../../support/servers/s3-client.ts';
import { bare, md5Hex } from '../etags.ts';
import type { Suite } from '../suite.ts';
import { outcomeOf } from '../target.ts';

export function objectCases({ client, bucket, note, refused }: Suite): void {
  describe('objects', () => {
    it('keep bytes, type and metadata', async () => {
      const body = streamSource('0123456789');
      const put = await client.putObject({
        bucket,
        key: 'object',
        body,
        contentType: 'text/x-test',
        metadata: { plain: 'value', accent: 'é ü' },
      });
      expect(bare(put.etag)).toBe(md5Hex(Buffer.from('0123456789')));
      const head = await client.headObject({ bucket, key: 'object' });
      expect(head).toMatchObject({
        sizeBytes: 10,
        contentType: 'text/x-test',
        metadata: { plain: 'value', accent: 'é ü' },
      });
      note('HEAD names the storage class', head.storageClass);
    });

    it('of several MiB are streamed in and out', async () => {
      const bytes = randomBytes(3 * 1024 * 1024 + 1);
      await client.putObject({ bucket, key: 'big', body: streamSource(bytes) });
      const chunks: Uint8Array[] = [];
      const { body } = await client.getObject({ bucket, key: 'big' });
      for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
      expect(md5Hex(Buffer.concat(chunks))).toBe(md5Hex(bytes));
    });

    it('return exactly the requested range of the requested version', async () => {
      const { etag } = await client.headObject({ bucket, key: 'object' });
      const part = await client.getObject({
        bucket,
        key: 'object',
        range: { firstByte: 3, lastByte: 5 },
        ifMatch: etag ?? '',
      });
      expect(await textOf(part.body)).toBe('345');
      expect(part.contentRange).toBe('bytes 3-5/10');
      const tail = await client.getObject({ bucket, key: 'object', range: { firstByte: 8, lastByte: 99 } });
      expect(await textOf(tail.body)).toBe('89');
      expect(
        await errorOf(client.getObject({ bucket, key: 'object', range: { firstByte: 10, lastByte: 11 } })),
      ).toMatchObject({ code: 'invalid-argument', reason: 'invalid-range' });
      expect(await errorOf(client.getObject({ bucket, key: 'object', ifMatch: '"other"' }))).toMatchObject({
        code: 'conflict',
      });
    });

    it('that are missing are not found, and deleting them succeeds', async () => {
      expect(await errorOf(client.getObject({ bucket, key: 'absent' }))).toMatchObject({
        code: 'not-found',
        reason: 'no-such-key',
      });
      expect(await errorOf(client.headObject({ bucket, key: 'absent' }))).toMatchObject({
        code: 'not-found',
      });
      note('DeleteObject of an absent key', await outcomeOf(client.deleteObject({ bucket, key: 'absent' })));
    });

    it('are copied, also with odd keys, with new metadata if requested', async () => {
      const key = 'copy/+ &?=/../é';
      const copy = await client.copyObject({ bucket, key, source: { bucket, key: 'object' } });
      expect(bare(copy.etag)).toBe(md5Hex(Buffer.from('0123456789')));
      await client.copyObject({
        bucket,
        key: 'copy/2',
        source: { bucket, key },
        metadataDirective: 'REPLACE',
        attributes: { metadata: { fresh: 'yes' }, contentType: 'text/plain' },
      });
      expect((await client.headObject({ bucket, key: 'copy/2' })).metadata).toEqual({ fresh: 'yes' });
      note(
        'copy of an absent source',
        await outcomeOf(client.copyObject({ bucket, key: 'copy/3', source: { bucket, key: 'absent' } })),
      );
    });

    it('are only created, not replaced, with If-None-Match', async () => {
      const again = client.putObject({ bucket, key: 'object', body: bytesSource('y'), ifNoneMatch: '*' });
      const outcome = await outcomeOf(again);
      note('If-None-Match: * on an existing object', outcome);
      expect(outcome).toMatch(refused.conditions ?? /^(?:412|409|501|success)/);
    });
  });
}
