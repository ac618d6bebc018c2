import { constants, accessSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { all, call, keys, region, serve } from '../../unit/service/harness.ts';
import { makeBucket, runs, tool, type BucketKind } from './programs.ts';

const obstacle = whyNot();

/** Returns why s3fs cannot mount here; null if it can. Containers often have the program, but not /dev/fuse. */
function whyNot(): string | null {
  if (!runs('s3fs')) return 's3fs is not installed';
  if (!runs('fusermount', '-V')) return 'fusermount is not installed';
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return '/dev/fuse cannot be opened';
  }
}

const because = obstacle === null ? '' : ` (${obstacle})`;
/** The kinds of buckets, with the expected sizes of the versions left of an overwritten and deleted file. */
const kinds: readonly (readonly [kind: BucketKind, left: readonly string[]])[] = [
  ['unversioned', []],
  ['versioned', ['10', '5']],
];
const bigBytes = Buffer.alloc(12 * 1024 * 1024, 'a file on a mounted bucket. ');

describe.each(kinds)('the sample service with a bucket that is %s', (kind, left) => {
  test.skipIf(obstacle !== null)(
    `s3fs: mounts it and writes, lists, renames, rewrites, reads and deletes files, ${kind}${because}`,
    async ({ skip }) => {
      const service = await serve();
      await makeBucket(service, 'bucket', kind);
      const home = tempDir();
      const mount = join(home, 'mount');
      mkdirSync(mount);
      writeFileSync(join(home, 'keys'), `${keys.accessKeyId}:${keys.secretAccessKey}`, { mode: 0o600 });
      writeFileSync(join(home, 'big'), bigBytes);
      const settings = [`url=${service.endpoint}`, `endpoint=${region}`, 'use_path_request_style'];
      settings.push(`passwd_file=${join(home, 'keys')}`, 'multipart_size=5');
      onTestFinished(async () => {
        // Fails if nothing was mounted. A busy mount is released once it is idle.
        await tool('fusermount', home)('-u', '-z', mount).catch(() => undefined);
      });
      try {
        // s3fs continues in the background after mounting, and ends when unmounted.
        await tool('s3fs', home)('bucket:/', mount, ...settings.flatMap((each) => ['-o', each]));
      } catch (error) {
        const message = String(error);
        if (!/not permitted|permission denied/i.test(message)) throw error;
        skip(`Nothing may be mounted here: ${message}`);
      }
      // Uses child processes: the service runs in this one, which must not block on itself.
      const shell = (script: string): Promise<string> =>
        tool('sh', home)('-c', `set -e; cd mount; ${script}`);
      await shell('mkdir -p "a b"; cp ../big "a b/big ü"; printf first > note; printf "second one" > note');
      expect(await shell('cat note; ls "a b"; stat -c %s "a b/big ü"')).toBe(
        `second onebig ü\n${String(bigBytes.length)}\n`,
      );
      expect((await call(service, { path: '/bucket/a%20b/big%20%C3%BC' })).bytes.equals(bigBytes)).toBe(true);
      await shell('mv "a b/big ü" moved; cmp moved ../big; rmdir "a b"; rm note; ls');
      const listed = await call(service, { path: '/bucket' });
      expect(all(listed.text, 'Key')).toEqual(['moved']);
      expect(await shell('ls')).toBe('moved\n');
      const kept = await call(service, { path: '/bucket', query: { versions: '', prefix: 'note' } });
      // s3fs writes an empty file first.
      expect(all(kept.text, 'Size').filter((size) => size !== '0')).toEqual(left);
    },
    60_000,
  );
});
