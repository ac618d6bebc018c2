import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../../support/sample.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { serve } from '../../unit/service/harness.ts';
import { awsEnvironment, makeBucket, runs, tool, type BucketKind } from './programs.ts';

const kinds: readonly BucketKind[] = ['unversioned', 'versioned'];

/** Creates a folder to back up, and returns a function that changes it for the second backup. */
function source(home: string): {
  readonly folder: string;
  readonly change: () => void;
  readonly read: (folder: string) => string[];
} {
  const folder = join(home, 'tree');
  const names = ['note ö.txt', 'sub folder/blob.bin'];
  mkdirSync(join(folder, 'sub folder'), { recursive: true });
  writeFileSync(join(folder, 'note ö.txt'), 'first');
  writeFileSync(join(folder, 'sub folder/blob.bin'), Buffer.alloc(6 * 1024 * 1024, 'what is backed up. '));
  return {
    folder,
    change: () => {
      const changed = join(folder, 'note ö.txt');
      writeFileSync(changed, 'second one');
      // Uses a later second, because duplicity considers a file with the same second unchanged.
      const laterSeconds = Date.now() / 1000 + 60;
      utimesSync(changed, laterSeconds, laterSeconds);
    },
    read: (restored) => names.map((name) => readFileSync(join(restored, name), 'latin1')),
  };
}

describe.each(sampleOf(kinds, 1))('the sample service with a bucket that is %s', (kind) => {
  test.skipIf(!runs('restic', 'version'))(
    `restic: serves two backups, a full check, a prune and a restore, ${kind}`,
    async () => {
      const service = await serve();
      await makeBucket(service, 'bucket', kind);
      const home = tempDir();
      const { folder, change, read } = source(home);
      const restic = tool('restic', home, {
        ...awsEnvironment,
        RESTIC_PASSWORD: 'of the test',
        RESTIC_REPOSITORY: `s3:${service.endpoint}/bucket/restic`,
      });
      await restic('init');
      await restic('backup', 'tree');
      change();
      await restic('backup', 'tree');
      const snapshots = JSON.parse(await restic('snapshots', '--json')) as { readonly id: string }[];
      expect(snapshots).toHaveLength(2);
      const [first] = snapshots;
      expect(await restic('dump', first?.id ?? '', '/tree/note ö.txt')).toBe('first');
      expect(await restic('check', '--read-data')).toContain('no errors were found');
      await restic('forget', '--keep-last', '1', '--prune');
      expect(JSON.parse(await restic('snapshots', '--json'))).toHaveLength(1);
      expect(await restic('check', '--read-data')).toContain('no errors were found');
      await restic('restore', 'latest', '--target', join(home, 'restored'));
      expect(read(join(home, 'restored', 'tree'))).toEqual(read(folder));
    },
    120_000,
  );

  test.skipIf(!runs('duplicity'))(
    `duplicity: serves a full and an incremental backup, a verification and both restores, ${kind}`,
    async () => {
      const service = await serve();
      await makeBucket(service, 'bucket', kind);
      const home = tempDir();
      const { folder, change, read } = source(home);
      const run = tool('duplicity', home, awsEnvironment);
      const where = ['--s3-endpoint-url', service.endpoint, '--s3-region-name', 'eu-central-1'];
      // Small volumes, so that the backup has several.
      const duplicity = (...parameters: string[]): Promise<string> =>
        run(...parameters, '--no-encryption', '--volsize', '3', ...where);
      const target = 'boto3+s3://bucket/backup';
      await duplicity('full', folder, target, '--current-time', '1700000000');
      change();
      await duplicity('incremental', folder, target, '--current-time', '1700086400');
      expect(await duplicity('verify', '--compare-data', target, folder)).toContain('0 differences found');
      const status = await duplicity('collection-status', target);
      expect(status).toContain('No orphaned or incomplete backup sets found');
      expect(status).toMatch(/Full .*\n\s*Incremental /);
      await duplicity('restore', target, join(home, 'restored'));
      expect(read(join(home, 'restored'))).toEqual(read(folder));
      await duplicity('restore', '--time', '1700000000', target, join(home, 'older'));
      expect(readFileSync(join(home, 'older', 'note ö.txt'), 'utf8')).toBe('first');
      await duplicity('remove-all-but-n-full', '1', '--force', target);
      await duplicity('cleanup', '--force', target);
    },
    120_000,
  );
});
