import {
  closeSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests files that are rewritten in place while they are sent, and get back their old time (touch -r, rsync -t). */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

function rewriteInPlace(file: string, bytes: Uint8Array): void {
  const { atime, mtime } = statSync(file);
  const opened = openSync(file, 'r+');
  writeSync(opened, bytes);
  closeSync(opened);
  utimesSync(file, atime, mtime);
}

const MiB = 1024 * KiB;
const size = 40 * smallestPart;

/** Rewrites the file once, just before the request that `isNow` intercepts. */
async function rewrittenAt(file: string, isNow: (client: S3Client) => Partial<S3Client>): Promise<void> {
  rig.wrapClient = (client) => ({ ...client, ...isNow(client) });
  await rig.restart();
  expect(statSync(file).size).toBe(size);
}

test('a file that changes between its parts never becomes an object of two states', async () => {
  const file = rig.file('x', bytesOf(size, 1));
  await rewrittenAt(file, (client) => ({
    uploadPart: async (input, options) => {
      if (input.partNumber === 20) rewriteInPlace(file, bytesOf(size, 2));
      return await client.uploadPart(input, options);
    },
  }));
  const jobId = await rig.upload([file]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
  expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'file-changed' } }]);
  expect(await rig.object('x')).toBeNull();
});

test('a file that changes after its last part is not completed', async () => {
  const file = rig.file('x', bytesOf(size, 1));
  let isSent = false;
  await rewrittenAt(file, (client) => ({
    listParts: async (input, options) => {
      const page = await client.listParts(input, options);
      if (page.parts.length > 10 && !isSent) {
        isSent = true;
        rewriteInPlace(file, bytesOf(size, 2));
      }
      return page;
    },
  }));
  const jobId = await rig.upload([file]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
  expect(await rig.object('x')).toBeNull();
});

test('a file too large to hold in memory that changes during its single PUT is not done', async () => {
  const file = rig.file('x', bytesOf(17 * MiB, 1));
  rig.wrapClient = (client) => ({
    ...client,
    putObject: async ({ contentMd5: _unchecked, ...input }, options) => {
      rewriteInPlace(file, bytesOf(MiB, 2));
      // Simulates a service that reports no ETag of the stored object.
      return { ...(await client.putObject(input, options)), etag: null };
    },
  });
  await rig.restart();
  const jobId = await rig.upload([file], { multipartFromBytes: 64 * MiB });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
  expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'file-changed' } }]);
});

/** Runs a change of the file, and gives it back its size and mtime. */
function withOldTime(file: string, change: () => void): void {
  const { atime, mtime } = statSync(file);
  change();
  utimesSync(file, atime, mtime);
}

const changes = [
  [
    'replaced by another file of the same size and time',
    (file: string, bytes: Uint8Array) => {
      withOldTime(file, () => {
        writeFileSync(`${file}.new`, bytes);
        renameSync(`${file}.new`, file);
      });
    },
  ],
  [
    'written through its other hard link',
    (file: string, bytes: Uint8Array) => {
      const other = path.join(path.dirname(file), `other-${path.basename(file)}`);
      linkSync(file, other);
      rewriteInPlace(other, bytes);
      rmSync(other);
    },
  ],
  [
    'truncated and extended to its old size',
    (file: string, bytes: Uint8Array) => {
      withOldTime(file, () => {
        const opened = openSync(file, 'r+');
        ftruncateSync(opened, 0);
        writeSync(opened, bytes);
        closeSync(opened);
      });
    },
  ],
  [
    'replaced by a link to another file of the same size and time',
    (file: string, bytes: Uint8Array) => {
      withOldTime(file, () => {
        const other = path.join(path.dirname(file), `target-${path.basename(file)}`);
        writeFileSync(other, bytes);
        rmSync(file);
        symlinkSync(other, file);
      });
    },
  ],
] as const;

describe.skipIf(process.platform === 'win32').each(changes)(
  'a file that is %s during its upload',
  (_how, change) => {
    test('does not become an object of two states when it is sent in parts', async () => {
      const file = rig.file('folder/x', bytesOf(size, 1));
      await rewrittenAt(file, (client) => ({
        uploadPart: async (input, options) => {
          if (input.partNumber === 20) change(file, bytesOf(size, 2));
          return await client.uploadPart(input, options);
        },
      }));
      const jobId = await rig.upload([path.dirname(file)]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
      expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'file-changed' } }]);
      expect(await rig.object('folder/x')).toBeNull();
    });

    test('is stored as it was read when it is sent from memory', async () => {
      const before = bytesOf(smallestPart, 1);
      const file = rig.file('x', before);
      rig.wrapClient = (client) => ({
        ...client,
        putObject: async (input, options) => {
          change(file, bytesOf(smallestPart, 2));
          return await client.putObject(input, options);
        },
      });
      await rig.restart();
      expect(await rig.settle(await rig.upload([file]))).toMatchObject({ state: 'done' });
      expect((await rig.object('x'))?.equals(before)).toBe(true);
    });

    test('is not completed after a restart', async () => {
      const file = rig.file('x', bytesOf(size, 1));
      let sent = 0;
      const halfWay = Promise.withResolvers<void>();
      rig.wrapClient = (client) => ({
        ...client,
        uploadPart: async (input, options) => {
          sent += 1;
          if (sent > 10) {
            halfWay.resolve();
            throw failure('disconnected', 'The program ends.');
          }
          return await client.uploadPart(input, options);
        },
      });
      await rig.restart();
      const jobId = await rig.upload([file]);
      await halfWay.promise;
      rig.wrapClient = (client) => client;
      change(file, bytesOf(size, 2));
      await rig.restart();
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
      expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'file-changed' } }]);
      expect(await rig.object('x')).toBeNull();
    });
  },
);
