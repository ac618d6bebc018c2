import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createHashPool } from '../../../../../electron/core/disk/hash-pool.ts';
import { localFiles } from '../../../../../electron/core/disk/local-files.ts';
import { PartScheduler } from '../../../../../electron/core/flow/part-scheduler.ts';
import type { TakeChunk } from '../../../../../electron/core/s3/http/response-body.ts';
import { ConditionMemory } from '../../../../../electron/core/s3/model/condition-memory.ts';
import type { ObjectHead } from '../../../../../electron/core/s3/model/object-types.ts';
import { fetchLarge } from '../../../../../electron/core/transfers/downloads/download-large.ts';
import { fetchWhole } from '../../../../../electron/core/transfers/downloads/download-whole.ts';
import { Blocks } from '../../../../../electron/core/transfers/items/blocks.ts';
import type { ItemContext } from '../../../../../electron/core/transfers/items/item-context.ts';
import {
  newDownloadItem,
  type DownloadItem,
} from '../../../../../electron/core/transfers/items/transfer-item.ts';
import { failure } from '../../../../../shared/errors.ts';
import { bytesOf } from '../../../../support/core/uploads-rig.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-whole-'));
const hasher = createHashPool();
afterAll(async () => {
  await hasher.close();
  rmSync(folder, { recursive: true, force: true });
});

test('an object that arrived completely is not fetched again if its verification is interrupted', async () => {
  const bytes = bytesOf(3000, 1);
  // The part sizes of this ETag must be requested from the service.
  const etag = '"0123456789abcdef0123456789abcdef-3"';
  const head: ObjectHead = {
    etag,
    sizeBytes: bytes.byteLength,
    lastModified: '2026-01-01T00:00:00.000Z',
    contentType: null,
    storageClass: null,
    versionId: null,
    metadata: {},
    headers: {},
  };
  let isOnline = false;
  let gets = 0;
  let stored: DownloadItem | null = null;
  const read = async (take: TakeChunk): Promise<void> => await take(Uint8Array.from(bytes));
  const client = {
    conditions: new ConditionMemory(),
    headObject: async ({ partNumber }: { readonly partNumber?: number }) => {
      if (!isOnline) throw failure('network', 'The network is down.', { retry: 'backoff' });
      // This service ignores part numbers.
      return await Promise.resolve(partNumber === undefined ? head : { ...head, sizeBytes: 3000 });
    },
    getObject: async () => {
      gets += 1;
      return await Promise.resolve({ ...head, contentRange: null, read });
    },
  };
  const context = {
    deps: {
      store: { transaction: (write: () => void) => write() },
      settings: () => ({ bandwidthBytesPerSecond: null }),
      files: localFiles,
      hasher,
      pieceBytes: 4096,
    },
    items: { put: (_jobId: string, item: DownloadItem) => (stored = item) },
    job: { id: 'j', bucket: 'b' },
    client,
    scheduler: new PartScheduler(() => 1),
    fileScheduler: new PartScheduler(() => 1),
    blocks: new Blocks(1, 4096),
    signal: new AbortController().signal,
    log: () => undefined,
    onBytes: () => undefined,
  } as unknown as ItemContext;
  const part = { path: path.join(folder, 'a.part'), within: folder };
  const item = newDownloadItem({
    seq: 1,
    key: 'k',
    kind: 'file',
    localName: 'k',
    sizeBytes: bytes.byteLength,
    etag,
    modifiedAt: head.lastModified,
  });
  await expect(fetchWhole(context, item, part)).rejects.toMatchObject({ error: { code: 'network' } });

  isOnline = true;
  const { received } = await fetchLarge(context, stored ?? item, part);
  expect(received).toMatchObject({ sizeBytes: 3000, verified: null });
  expect(readFileSync(part.path).equals(bytes)).toBe(true);
  expect(gets).toBe(1);
});
