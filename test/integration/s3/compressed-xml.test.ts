import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { startScriptedServer, type ScriptedServer } from '../../support/servers/scripted-server.ts';

/** A gateway that compresses responses although the request does not accept compression. */
let server: ScriptedServer;
let client: S3Client;
beforeEach(async () => {
  server = await startScriptedServer();
  client = realClient({ endpoint: server.endpoint, keys: { accessKeyId: 'A', secretAccessKey: 'S' } });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const page = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix><KeyCount>1</KeyCount>
<MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><Contents><Key>k</Key><Size>3</Size>
<ETag>"900150983cd24fb0d6963f7d28e17f72"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>
</ListBucketResult>`,
);
const refusal = Buffer.from('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');

const codings = [
  ['gzip', 'gzip', gzipSync],
  ['gzip under its old name', 'x-gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['deflate without a frame', 'deflate', deflateRawSync],
  ['Brotli', 'br', brotliCompressSync],
  ['Zstandard', 'zstd', zstdCompressSync],
  ['gzip twice', 'gzip, gzip', (bytes: Uint8Array) => gzipSync(gzipSync(bytes))],
  ['gzip without a header', null, gzipSync],
  ['only a header and a plain body', 'gzip', (bytes: Uint8Array) => bytes],
] as const;

function answered(status: number, coding: string | null, body: Uint8Array): void {
  server.answer({ status, headers: coding === null ? {} : { 'content-encoding': coding }, body });
}

describe.each(codings)('XML compressed with %s', (_what, coding, compress) => {
  test('is read as a listing', async () => {
    answered(200, coding, compress(page));
    const { objects } = await client.listObjects({ bucket: 'b' });
    expect(objects.map(({ key }) => key)).toEqual(['k']);
  });

  test('is read as an error', async () => {
    answered(403, coding, compress(refusal));
    await expect(client.listParts({ bucket: 'b', key: 'k', uploadId: 'u' })).rejects.toMatchObject({
      error: { code: 'access-denied', s3: { code: 'AccessDenied' } },
    });
  });
});

test('truncated, unknown or oversized compressed XML fails with its reason', async () => {
  answered(200, 'gzip', gzipSync(page).subarray(0, 90));
  await expect(client.listObjects({ bucket: 'b' }, { maxTries: 1 })).rejects.toMatchObject({
    error: { code: 'protocol', reason: 'cut-short' },
  });
  answered(200, 'compress', Buffer.from([0x1f, 0x9d, 0x90]));
  await expect(client.listObjects({ bucket: 'b' })).rejects.toMatchObject({
    error: { reason: 'bad-encoding' },
  });
  answered(200, 'gzip', gzipSync(Buffer.alloc(200 * 1024 * 1024)));
  await expect(client.listObjects({ bucket: 'b' })).rejects.toMatchObject({ error: { reason: 'too-big' } });
});

test('requests for XML forbid compression, and requests for objects do not mention it', async () => {
  answered(200, null, page);
  await client.listObjects({ bucket: 'b' });
  server.answer({ headers: { 'content-encoding': 'gzip', etag: '"e"' }, body: gzipSync(page) });
  const { body } = await client.getObject({ bucket: 'b', key: 'k' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array);
  expect(Buffer.concat(chunks).equals(gzipSync(page))).toBe(true);
  const [listing, object] = server.requests;
  expect(listing?.headers['accept-encoding']).toBe('identity');
  expect(listing?.headers['authorization']).not.toMatch(/accept-encoding/);
  expect(object?.headers['accept-encoding']).toBeUndefined();
});
