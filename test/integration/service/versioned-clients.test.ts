import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { sampleOf } from '../../support/sample.ts';
import { all, call, keys, region, serve } from '../../unit/service/harness.ts';
import {
  awsEnvironment,
  boto3Pythons,
  hasBoto3,
  makeBucket,
  rcloneEnvironment,
  runs,
  systemAws,
  tool,
} from './programs.ts';

interface Version {
  readonly Key: string;
  readonly VersionId: string;
  readonly IsLatest: boolean;
  readonly Size?: number;
}

test.skipIf(!runs(systemAws))(
  'awscli: puts, lists, reads, deletes, undeletes and empties versions of a bucket',
  async () => {
    const service = await serve();
    await makeBucket(service, 'bucket', 'versioned');
    const home = tempDir();
    const aws = tool(systemAws, home, awsEnvironment);
    const api = async (name: string, ...parameters: string[]): Promise<Record<string, unknown>> => {
      const asked = ['--endpoint-url', service.endpoint, 's3api', name, '--bucket', 'bucket', ...parameters];
      const out = await aws(...asked);
      return out.trim() === '' ? {} : (JSON.parse(out) as Record<string, unknown>);
    };
    const putText = async (text: string): Promise<string> => {
      const file = join(home, 'body');
      writeFileSync(file, text);
      return String((await api('put-object', '--key', 'a b/ü', '--body', file))['VersionId']);
    };
    const getText = async (...parameters: string[]): Promise<string> => {
      const file = join(home, 'got');
      await api('get-object', '--key', 'a b/ü', ...parameters, file);
      return readFileSync(file, 'utf8');
    };
    const listed = async (): Promise<{ versions: readonly Version[]; markers: readonly Version[] }> => {
      const response = await api('list-object-versions');
      return {
        versions: (response['Versions'] ?? []) as Version[],
        markers: (response['DeleteMarkers'] ?? []) as Version[],
      };
    };

    expect((await api('get-bucket-versioning'))['Status']).toBe('Enabled');
    const first = await putText('first');
    const second = await putText('second one');
    expect(first).not.toBe(second);
    const { versions } = await listed();
    expect(versions).toMatchObject([
      { Key: 'a b/ü', VersionId: second, IsLatest: true, Size: 10 },
      { Key: 'a b/ü', VersionId: first, IsLatest: false, Size: 5 },
    ]);
    expect(await getText('--version-id', first)).toBe('first');
    expect(await getText()).toBe('second one');

    const marked = await api('delete-object', '--key', 'a b/ü');
    expect(marked['DeleteMarker']).toBe(true);
    await expect(getText()).rejects.toThrow('NoSuchKey');
    expect((await listed()).markers).toMatchObject([{ VersionId: marked['VersionId'], IsLatest: true }]);
    expect(await getText('--version-id', second)).toBe('second one');

    await api('delete-object', '--key', 'a b/ü', '--version-id', String(marked['VersionId']));
    expect(await getText()).toBe('second one');

    // Restores in the other way too, by copying the old version over the latest one.
    await api('copy-object', '--key', 'a b/ü', '--copy-source', `bucket/a b/ü?versionId=${first}`);
    expect(await getText()).toBe('first');

    const doomed = (await listed()).versions.map(({ Key, VersionId }) => ({ Key, VersionId }));
    expect(doomed).toHaveLength(3);
    await api('delete-objects', '--delete', JSON.stringify({ Objects: doomed }));
    expect(await listed()).toEqual({ versions: [], markers: [] });
    await aws('--endpoint-url', service.endpoint, 's3', 'rb', 's3://bucket');
    expect(service.store.buckets.get('bucket')).toBeNull();
  },
  120_000,
);

// If no Python has boto3, one test remains so that it is skipped by name.
test.skipIf(!hasBoto3).each(hasBoto3 ? sampleOf(boto3Pythons, 1) : ['python3'])(
  'boto3 of %s: handles objects, pages, parts, links and conditions, and all of versions',
  async (python) => {
    const service = await serve();
    const home = tempDir();
    const script = new URL('boto3-client.py', import.meta.url).pathname;
    const printed = await tool(python, home, awsEnvironment)(script, service.endpoint);
    expect(printed.trim().split('\n')).toEqual(['unversioned: done', 'versioned: done']);
    expect(service.store.buckets.all()).toEqual([]);
  },
  120_000,
);

test.skipIf(!runs('rclone', 'version'))(
  'rclone: lists versions with --s3-versions, reads one by name and removes them with cleanup-hidden',
  async () => {
    // Advances the clock, because the program names versions by their times, which the service reports in whole seconds.
    let aheadMs = 0;
    const service = await serve({ clock: { nowMs: () => Date.now() + aheadMs } });
    await makeBucket(service, 'bucket', 'versioned');
    const home = tempDir();
    const rclone = tool('rclone', home, {
      ...rcloneEnvironment(service, home),
      RCLONE_S3_NO_CHECK_BUCKET: 'true',
    });
    const file = join(home, 'note.txt');
    for (const text of ['first', 'second one']) {
      writeFileSync(file, text);
      await rclone('copyto', '--ignore-times', file, 's:bucket/note.txt');
      aheadMs += 2000;
    }
    const names = async (): Promise<string[]> =>
      (await rclone('lsf', '--s3-versions', 's:bucket')).trim().split('\n').toSorted();
    const [old, latest] = await names();
    expect(latest).toBe('note.txt');
    expect(old).toMatch(/^note-v\d{4}-\d\d-\d\d-\d{6}-\d{3}\.txt$/);
    expect(await rclone('cat', '--s3-versions', `s:bucket/${old ?? ''}`)).toBe('first');
    expect(await rclone('cat', 's:bucket/note.txt')).toBe('second one');

    await rclone('deletefile', 's:bucket/note.txt');
    expect(await rclone('lsf', 's:bucket')).toBe('');
    const deleted = await names();
    expect(deleted).toHaveLength(2);
    const texts = deleted.map((name) => rclone('cat', '--s3-versions', `s:bucket/${name}`));
    expect((await Promise.all(texts)).toSorted()).toEqual(['first', 'second one']);

    await rclone('backend', 'cleanup-hidden', 's:bucket');
    const left = await call(service, { path: '/bucket', query: { versions: '' } });
    expect(all(left.text, 'Size')).toEqual([]);
  },
  120_000,
);

test.skipIf(!runs('s3cmd'))(
  's3cmd: puts, overwrites, gets and deletes in a versioned bucket without losing a version',
  async () => {
    const service = await serve();
    await makeBucket(service, 'bucket', 'versioned');
    const home = tempDir();
    const host = `127.0.0.1:${service.port}`;
    const config = join(home, 's3cfg');
    const lines = [`access_key = ${keys.accessKeyId}`, `secret_key = ${keys.secretAccessKey}`];
    lines.push(`host_base = ${host}`, `host_bucket = ${host}`, `bucket_location = ${region}`);
    writeFileSync(config, ['[default]', ...lines, 'use_https = False'].join('\n'));
    const s3 = (...parameters: string[]): Promise<string> =>
      tool('s3cmd', home)('-c', config, '--no-progress', ...parameters);
    const file = join(home, 'note.txt');
    for (const text of ['first', 'second one']) {
      writeFileSync(file, text);
      await s3('put', file, 's3://bucket/note.txt');
    }
    expect(await s3('info', 's3://bucket/note.txt')).toContain('File size: 10');
    await s3('get', '--force', 's3://bucket/note.txt', join(home, 'back.txt'));
    expect(readFileSync(join(home, 'back.txt'), 'utf8')).toBe('second one');
    await s3('del', 's3://bucket/note.txt');
    expect(await s3('ls', 's3://bucket')).toBe('');
    const kept = await call(service, { path: '/bucket', query: { versions: '' } });
    expect(all(kept.text, 'Size')).toEqual(['10', '5']);
    expect(all(kept.text, 'IsLatest')).toEqual(['true', 'false', 'false']);
  },
  120_000,
);
