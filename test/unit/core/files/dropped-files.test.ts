import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { array, assert, asyncProperty, integer, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBatch } from '../../../../electron/core/files/dropped-files.ts';
import { createDropped } from '../../../../electron/core/files/dropped.ts';
import type { DroppedBatch } from '../../../../shared/models/files.ts';
import { manualClock, recordingLogger } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const modifiedAt = '2026-01-02T03:04:05.000Z';

function rig(freeBytes = 1e12) {
  const dir = path.join(tempDir(), 'dropped');
  const paths = new Map<string, string>();
  const inUse = new Set<string>();
  const dropped = createDropped({
    dir,
    clock: manualClock(),
    logger: recordingLogger(),
    handleFor: (filePath) => {
      const handle = `handle-${String(paths.size)}`;
      paths.set(handle, filePath);
      return handle;
    },
    isInUse: (id) => inUse.has(id),
    freeBytes: () => Promise.resolve(freeBytes),
  });
  const send = async (
    batch: DroppedBatch,
    body: Buffer,
    chunkBytes = body.byteLength || 1,
  ): Promise<string> => {
    const { path: address, dropHandle } = await dropped.receiveBatch(batch);
    const chunks: Buffer[] = [];
    for (let at = 0; at < body.byteLength; at += chunkBytes) chunks.push(body.subarray(at, at + chunkBytes));
    await dropped.take(address.slice('/bytes/'.length), Readable.from(chunks), String(body.byteLength));
    return dropHandle;
  };
  return { dir, paths, inUse, dropped, send, folderOf: (handle: string) => paths.get(handle) ?? '' };
}

function fileOf(filePath: string[], bytes: Buffer): DroppedBatch['files'][number] {
  return { path: filePath, sizeBytes: bytes.byteLength, modifiedAt };
}

describe('a batch of dropped files', () => {
  test('is split from one body in chunks of any size, with its folders and times', async () => {
    await assert(
      asyncProperty(
        array(uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 12 }),
        integer({ min: 1, max: 400 }),
        async (contents, chunkBytes) => {
          const { send, folderOf } = rig();
          const files = contents.map((content, index) =>
            fileOf(['folder', `sub-${index % 3}`, `f-${index}`], Buffer.from(content)),
          );
          const batch = { dropHandle: null, files, emptyFolders: [['folder', 'empty']] };
          const folder = folderOf(await send(batch, Buffer.concat(contents), chunkBytes));
          for (const [index, content] of contents.entries()) {
            const file = path.join(folder, 'folder', `sub-${index % 3}`, `f-${index}`);
            expect(readFileSync(file)).toEqual(Buffer.from(content));
            expect(statSync(file).mtime.toISOString()).toBe(modifiedAt);
          }
          expect(readdirSync(path.join(folder, 'folder', 'empty'))).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('is added to the same drop as earlier batches, with handles for the top entries', async () => {
    const { dropped, send, paths } = rig();
    const bytes = Buffer.from('abc');
    const dropHandle = await send(
      { dropHandle: null, files: [fileOf(['a', 'x'], bytes)], emptyFolders: [] },
      bytes,
    );
    const again = await send(
      { dropHandle, files: [fileOf(['a', 'y'], bytes), fileOf(['b'], bytes)], emptyFolders: [] },
      Buffer.concat([bytes, bytes]),
    );
    expect(again).toBe(dropHandle);
    const entries = (await dropped.entriesOf(dropHandle)).map((handle) =>
      path.basename(paths.get(handle) ?? ''),
    );
    expect(entries.toSorted()).toEqual(['a', 'b']);
  });

  test('that ends too early or too late is refused and leaves no files', async () => {
    for (const body of [Buffer.from('ab'), Buffer.from('abcd')]) {
      const { dropped, dir } = rig();
      const { path: address } = await dropped.receiveBatch({
        dropHandle: null,
        files: [fileOf(['a'], Buffer.from('abc'))],
        emptyFolders: [],
      });
      await expect(
        dropped.take(address.slice('/bytes/'.length), Readable.from([body]), undefined),
      ).rejects.toMatchObject({ error: { reason: 'drop-wrong-size' } });
      expect(readdirSync(dir)).toEqual([]);
    }
  });

  test('is removed with the last job that uploads from it', async () => {
    const { dropped, send, folderOf, inUse } = rig();
    const bytes = Buffer.from('abc');
    const dropHandle = await send(
      { dropHandle: null, files: [fileOf(['a'], bytes)], emptyFolders: [] },
      bytes,
    );
    const folder = folderOf(dropHandle);
    inUse.add(path.basename(folder));
    await dropped.discard(dropHandle);
    expect(existsSync(folder)).toBe(true);
    inUse.clear();
    await dropped.sweep();
    expect(existsSync(folder)).toBe(false);
  });

  test('is refused if the disk has no room for all of its files', async () => {
    const { dropped } = rig(10);
    await expect(
      dropped.receiveBatch({
        dropHandle: null,
        files: [fileOf(['a'], Buffer.from('abc'))],
        emptyFolders: [],
      }),
    ).rejects.toMatchObject({ error: { reason: 'drop-no-space' } });
  });

  test('is refused if a path would leave its own folder', () => {
    for (const name of ['..', '.', 'a/b', 'a\0b', '\ud800'])
      expect(() =>
        checkBatch({ dropHandle: null, files: [fileOf(['ok', name], Buffer.alloc(0))], emptyFolders: [] }),
      ).toThrow('not valid for a file on this computer');
    for (const name of ['a\\b', 'con', 'a:b', 'a.'])
      expect(() => checkBatch({ dropHandle: null, files: [], emptyFolders: [[name]] }, 'win32')).toThrow(
        'not valid for a file on this computer',
      );
    expect(() =>
      checkBatch({ dropHandle: null, files: [], emptyFolders: [['a.', 'con', 'ü']] }, 'linux'),
    ).not.toThrow();
  });
});
