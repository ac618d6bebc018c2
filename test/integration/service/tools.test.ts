import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { sampleOf } from '../../support/sample.ts';
import { all, call, keys, pathOf, put, region, serve } from '../../unit/service/harness.ts';
import { awsCommands, rcloneEnvironment, runs, tool } from './programs.ts';

const bigBytes = Buffer.alloc(20 * 1024 * 1024, 'The quick brown fox jumps over the lazy dog. ');
const oddName = 'a b+c%41/ü(1) & 好.txt';

interface Tree {
  readonly home: string;
  readonly big: string;
  readonly odd: string;
  readonly folder: string;
}

function files(): Tree {
  const home = tempDir();
  const folder = join(home, 'tree');
  mkdirSync(join(folder, 'sub folder'), { recursive: true });
  for (const [index, name] of ['one.txt', 'two.txt', 'sub folder/three ö.txt'].entries()) {
    writeFileSync(join(folder, name), `file ${index}`);
  }
  const tree = { home, folder, big: join(home, 'big.bin'), odd: join(home, 'odd.txt') };
  writeFileSync(tree.big, bigBytes);
  writeFileSync(tree.odd, 'odd');
  return tree;
}

async function keysIn(service: Service, bucket: string): Promise<string[]> {
  return all((await call(service, { path: `/${bucket}` })).text, 'Key');
}

async function expectBig(service: Service, path: string): Promise<void> {
  const got = await call(service, { path });
  expect(got.bytes.equals(bigBytes)).toBe(true);
  // The hyphen in the ETag shows that the object was uploaded in parts.
  expect(got.headers.etag).toMatch(/-\d+"$/);
}

const treeKeys = ['tree/one.txt', 'tree/sub folder/three ö.txt', 'tree/two.txt'];

// Sampled, because each start of awscli takes a second or two.
describe.each(sampleOf(awsCommands, 1))('awscli as %s', (command) => {
  test.skipIf(!runs(command))(
    `${command}: handles buckets, odd names, 20 MB in parts, a tree and deletions`,
    async () => {
      const service = await serve();
      const { home, big, odd, folder } = files();
      const aws = tool(command, home, {
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        AWS_DEFAULT_REGION: region,
        AWS_EC2_METADATA_DISABLED: 'true',
      });
      const s3 = (...parameters: string[]): Promise<string> =>
        aws('--endpoint-url', service.endpoint, ...parameters);
      await s3('s3', 'mb', 's3://by-aws');
      expect(await s3('s3', 'ls')).toContain('by-aws');
      await s3('s3', 'cp', odd, `s3://by-aws/${oddName}`);
      expect((await call(service, { path: pathOf('by-aws', oddName) })).text).toBe('odd');
      expect(await s3('s3', 'ls', '--recursive', 's3://by-aws')).toContain(oddName);
      expect(await s3('s3', 'cp', `s3://by-aws/${oddName}`, '-')).toBe('odd');
      await s3('s3', 'cp', '--quiet', big, 's3://by-aws/big.bin');
      await expectBig(service, '/by-aws/big.bin');
      await s3('s3', 'cp', '--quiet', 's3://by-aws/big.bin', join(home, 'back.bin'));
      expect(readFileSync(join(home, 'back.bin')).equals(bigBytes)).toBe(true);
      await s3('s3', 'cp', '--quiet', 's3://by-aws/big.bin', 's3://by-aws/copied.bin');
      expect((await call(service, { path: '/by-aws/copied.bin' })).bytes.equals(bigBytes)).toBe(true);
      await s3('s3', 'sync', '--quiet', folder, 's3://by-aws/tree');
      expect((await keysIn(service, 'by-aws')).filter((key) => key.startsWith('tree/'))).toEqual(treeKeys);
      expect(await s3('s3', 'sync', folder, 's3://by-aws/tree')).toBe('');
      for (const key of ['/x', 'a//b', '..']) await put(service, 'by-aws', key);
      const listed = JSON.parse(await s3('s3api', 'list-objects-v2', '--bucket', 'by-aws')) as {
        Contents: { Key: string }[];
      };
      expect(listed.Contents.map(({ Key }) => Key)).toEqual(await keysIn(service, 'by-aws'));
      await call(service, { method: 'DELETE', path: '/by-aws/..' });
      await s3('s3', 'rm', '--quiet', '--recursive', 's3://by-aws');
      expect(await keysIn(service, 'by-aws')).toEqual([]);
      await s3('s3', 'rb', 's3://by-aws');
      expect(service.store.buckets.get('by-aws')).toBeNull();
    },
    120_000,
  );

  test.skipIf(!runs(command))(
    `${command}: handles a multipart upload step by step with checksums`,
    async () => {
      const service = await serve({ minPartBytes: 1 });
      const { home, odd } = files();
      service.store.buckets.create('bucket', 0);
      const aws = tool(command, home, {
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        AWS_DEFAULT_REGION: region,
      });
      const api = async (name: string, ...parameters: string[]): Promise<Record<string, unknown>> => {
        const out = await aws(
          '--endpoint-url',
          service.endpoint,
          's3api',
          name,
          '--bucket',
          'bucket',
          ...parameters,
        );
        return out.trim() === '' ? {} : (JSON.parse(out) as Record<string, unknown>);
      };
      const begun = await api('create-multipart-upload', '--key', oddName, '--checksum-algorithm', 'SHA256');
      const upload = ['--key', oddName, '--upload-id', String(begun['UploadId'])];
      await api(
        'upload-part',
        ...upload,
        '--part-number',
        '1',
        '--body',
        odd,
        '--checksum-algorithm',
        'SHA256',
      );
      const listed = (await api('list-parts', ...upload)) as {
        Parts: { PartNumber: number; ETag: string; ChecksumSHA256: string }[];
      };
      const uploads = (await api('list-multipart-uploads')) as { Uploads: { Key: string }[] };
      expect(uploads.Uploads.map(({ Key }) => Key)).toEqual([oddName]);
      const parts = listed.Parts.map(({ PartNumber, ETag, ChecksumSHA256 }) => ({
        PartNumber,
        ETag,
        ChecksumSHA256,
      }));
      const done = await api(
        'complete-multipart-upload',
        ...upload,
        '--multipart-upload',
        JSON.stringify({ Parts: parts }),
      );
      expect(done['Key']).toBe(oddName);
      expect((await call(service, { path: pathOf('bucket', oddName) })).text).toBe('odd');
    },
    120_000,
  );
});

test.skipIf(!runs('s3cmd'))(
  's3cmd: handles buckets, odd names, 20 MB in parts, a tree and deletions',
  async () => {
    const service = await serve();
    const { home, big, odd, folder } = files();
    const config = join(home, 's3cfg');
    const host = `127.0.0.1:${service.port}`;
    writeFileSync(
      config,
      [
        '[default]',
        `access_key = ${keys.accessKeyId}`,
        `secret_key = ${keys.secretAccessKey}`,
        `host_base = ${host}`,
        `host_bucket = ${host}`,
        `bucket_location = ${region}`,
        'use_https = False',
      ].join('\n'),
    );
    const s3cmd = tool('s3cmd', home);
    const s3 = (...parameters: string[]): Promise<string> =>
      s3cmd('-c', config, '--no-progress', ...parameters);
    await s3('mb', 's3://by-s3cmd');
    expect(await s3('ls')).toContain('s3://by-s3cmd');
    await s3('put', odd, `s3://by-s3cmd/${oddName}`);
    expect((await call(service, { path: pathOf('by-s3cmd', oddName) })).text).toBe('odd');
    expect(await s3('ls', '--recursive', 's3://by-s3cmd')).toContain(oddName);
    await s3('get', '--force', `s3://by-s3cmd/${oddName}`, join(home, 'back.txt'));
    expect(readFileSync(join(home, 'back.txt'), 'utf8')).toBe('odd');
    await s3('put', '--multipart-chunk-size-mb=6', big, 's3://by-s3cmd/big.bin');
    await expectBig(service, '/by-s3cmd/big.bin');
    await s3('sync', `${folder}/`, 's3://by-s3cmd/tree/');
    expect((await keysIn(service, 'by-s3cmd')).filter((key) => key.startsWith('tree/'))).toEqual(treeKeys);
    expect(await s3('ls', 's3://by-s3cmd/tree/')).toContain('DIR  s3://by-s3cmd/tree/sub folder/');
    await s3('cp', 's3://by-s3cmd/tree/one.txt', 's3://by-s3cmd/copied.txt');
    expect((await call(service, { path: '/by-s3cmd/copied.txt' })).text).toBe('file 0');
    await s3('del', '--recursive', '--force', 's3://by-s3cmd');
    expect(await keysIn(service, 'by-s3cmd')).toEqual([]);
    await s3('rb', 's3://by-s3cmd');
    expect(service.store.buckets.get('by-s3cmd')).toBeNull();
  },
  120_000,
);

test.skipIf(!runs('rclone'))(
  'rclone: handles buckets, odd names, 20 MB in parts, a tree and deletions',
  async () => {
    const service = await serve();
    const { home, big, odd, folder } = files();
    const rclone = tool('rclone', home, {
      ...rcloneEnvironment(service, home),
      RCLONE_S3_UPLOAD_CUTOFF: '5M',
    });
    await rclone('mkdir', 's:by-rclone');
    expect(await rclone('lsd', 's:')).toContain('by-rclone');
    await rclone('copyto', odd, `s:by-rclone/${oddName}`);
    expect((await call(service, { path: pathOf('by-rclone', oddName) })).text).toBe('odd');
    expect(await rclone('cat', `s:by-rclone/${oddName}`)).toBe('odd');
    expect(await rclone('lsf', '-R', '--files-only', 's:by-rclone')).toBe(`${oddName}\n`);
    await rclone('copyto', big, 's:by-rclone/big.bin');
    await expectBig(service, '/by-rclone/big.bin');
    await rclone('check', big, 's:by-rclone', '--download');
    await rclone('sync', folder, 's:by-rclone/tree');
    expect((await keysIn(service, 'by-rclone')).filter((key) => key.startsWith('tree/'))).toEqual(treeKeys);
    await rclone('check', folder, 's:by-rclone/tree');
    await rclone('moveto', 's:by-rclone/tree/one.txt', 's:by-rclone/moved.txt');
    expect((await call(service, { path: '/by-rclone/moved.txt' })).text).toBe('file 0');
    await rclone('purge', 's:by-rclone');
    expect(service.store.buckets.get('by-rclone')).toBeNull();
  },
  120_000,
);
