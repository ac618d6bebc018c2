import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDropped } from '../../../../electron/core/files/dropped.ts';
import { safeFileName } from '../../../../electron/core/files/local-names.ts';
import { manualClock, recordingLogger } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const bytes = Buffer.from('the bytes of the file');
const announced = { name: 'film.mp4', sizeBytes: bytes.byteLength, modifiedAt: '2026-01-02T03:04:05.000Z' };

function rig(options: { readonly freeBytes?: number } = {}) {
  const dir = path.join(tempDir(), 'dropped');
  const inUse = new Set<string>();
  const paths = new Map<string, string>();
  const clock = manualClock();
  const make = () =>
    createDropped({
      dir,
      clock,
      logger: recordingLogger(),
      handleFor: (filePath) => {
        const handle = `handle-${String(paths.size)}`;
        paths.set(handle, filePath);
        return handle;
      },
      isInUse: (id) => inUse.has(id),
      freeBytes: () => Promise.resolve(options.freeBytes ?? 1e12),
    });
  const dropped = make();
  const receive = async (input = announced) => {
    const { path: address, handle } = await dropped.receive(input);
    const filePath = paths.get(handle) ?? '';
    const id = path.basename(path.dirname(filePath));
    return { ticket: address.slice('/bytes/'.length), handle, filePath, id };
  };
  return { dir, inUse, clock, dropped, receive, restarted: make, left: () => readdirSync(dir) };
}

const body = (...chunks: Buffer[]) => Readable.from(chunks.length === 0 ? [bytes] : chunks);

describe('a dropped file', () => {
  test('is available under its handle once complete, only to its owner, with name and time', async () => {
    const { dropped, receive, dir, left } = rig();
    const { ticket, filePath, id } = await receive();
    expect(existsSync(filePath)).toBe(false);
    await dropped.take(ticket, body(bytes.subarray(0, 5), bytes.subarray(5)), String(bytes.byteLength));
    expect(readFileSync(filePath)).toEqual(bytes);
    expect(path.basename(filePath)).toBe('film.mp4');
    expect(statSync(filePath).mtime.toISOString()).toBe(announced.modifiedAt);
    // Windows has no such permissions.
    const rights = process.platform === 'win32' ? 0o666 : 0o777;
    const wanted = process.platform === 'win32' ? [0o666, 0o666] : [0o600, 0o700];
    expect([filePath, dir].map((target) => statSync(target).mode & rights)).toEqual(wanted);
    expect(left()).toEqual([id]);
  });

  test('may be empty', async () => {
    const { dropped, receive } = rig();
    const { ticket, filePath } = await receive({ ...announced, sizeBytes: 0 });
    await dropped.take(ticket, Readable.from([]), '0');
    expect(statSync(filePath).size).toBe(0);
  });

  test.each([
    ['too long', [bytes, Buffer.from('x')], undefined],
    ['too short', [bytes.subarray(1)], undefined],
    ['announced with another length', [bytes], '7'],
  ])('that is %s is refused and removed', async (_name, chunks, header) => {
    const { dropped, receive, left } = rig();
    const { ticket } = await receive();
    await expect(dropped.take(ticket, body(...chunks), header)).rejects.toMatchObject({
      error: { code: 'invalid-argument', reason: 'drop-wrong-size' },
    });
    expect(left()).toEqual([]);
  });

  test('whose transfer breaks is removed', async () => {
    const { dropped, receive, left } = rig();
    const { ticket } = await receive();
    const broken = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 4);
        await Promise.resolve();
        throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
      })(),
    );
    await expect(dropped.take(ticket, broken, undefined)).rejects.toMatchObject({
      error: { code: 'cancelled' },
    });
    expect(left()).toEqual([]);
  });

  test('that does not fit the disk, including space reserved for others, is refused up front', async () => {
    const { receive } = rig({ freeBytes: 64 * 1024 * 1024 + 100 });
    await expect(receive({ ...announced, sizeBytes: 101 })).rejects.toMatchObject({
      error: { code: 'storage', reason: 'drop-no-space' },
    });
    await receive({ ...announced, sizeBytes: 60 });
    await expect(receive({ ...announced, sizeBytes: 60 })).rejects.toMatchObject({
      error: { reason: 'drop-no-space' },
    });
  });
});

describe('a ticket for a dropped file', () => {
  test('is accepted once and for ten minutes', async () => {
    const { dropped, receive, clock } = rig();
    const gone = { error: { code: 'not-found' } };
    const { ticket } = await receive();
    await expect(dropped.take('A'.repeat(22), body(), undefined)).rejects.toMatchObject(gone);
    await dropped.take(ticket, body(), undefined);
    await expect(dropped.take(ticket, body(), undefined)).rejects.toMatchObject(gone);
    const late = await receive();
    await clock.advance(10 * 60_000);
    await expect(dropped.take(late.ticket, body(), undefined)).rejects.toMatchObject(gone);
  });

  test('is invalid after the window discards the file', async () => {
    const { dropped, receive } = rig();
    const { ticket, handle } = await receive();
    await dropped.discard(handle);
    await expect(dropped.take(ticket, body(), undefined)).rejects.toMatchObject({
      error: { code: 'not-found' },
    });
  });
});

describe('the copy of a dropped file', () => {
  test('is removed when its window discards it, unless an unfinished job uploads from it', async () => {
    const { dropped, receive, inUse, left } = rig();
    const free = await receive();
    await dropped.take(free.ticket, body(), undefined);
    await dropped.discard(free.handle);
    expect(left()).toEqual([]);

    const used = await receive();
    await dropped.take(used.ticket, body(), undefined);
    inUse.add(used.id);
    await dropped.discard(used.handle);
    await dropped.sweep();
    expect(readFileSync(used.filePath)).toEqual(bytes);
    inUse.clear();
    await dropped.sweep();
    expect(left()).toEqual([]);
  });

  test('survives a sweep while it arrives or is shown', async () => {
    const { dropped, receive, left } = rig();
    const { ticket, id } = await receive();
    await dropped.take(ticket, body(), undefined);
    await dropped.sweep();
    expect(left()).toEqual([id]);
  });

  test('of an earlier run is removed at the next start unless a job needs it; other files stay', async () => {
    const { dir, inUse, restarted, left } = rig();
    const [wanted, unwanted, half] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    for (const id of [wanted, unwanted]) {
      mkdirSync(path.join(dir, id ?? ''), { recursive: true });
      writeFileSync(path.join(dir, id ?? '', 'film.mp4'), bytes);
    }
    writeFileSync(path.join(dir, `${half ?? ''}.part`), bytes);
    writeFileSync(path.join(dir, 'notes.txt'), 'mine');
    inUse.add(wanted ?? '');
    await restarted().sweep();
    expect(left().toSorted()).toEqual([wanted, 'notes.txt']);
  });
});

test('the name of a dropped file cannot leave its own folder, for any name a page sends', () => {
  assert(
    property(string({ unit: 'binary', minLength: 1, maxLength: 400 }), (given) => {
      const name = safeFileName(given);
      const inside = path.join('/data', name);
      expect(path.dirname(inside)).toBe('/data');
      expect(name).not.toBe('');
      expect(['/', '\\', '\0'].filter((sign) => name.includes(sign))).toEqual([]);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(201);
    }),
  );
  expect(
    ['../../etc/passwd', String.raw`C:\a\b.txt`, '..', 'con.txt', 'a?b', 'harbour at dawn.wav'].map(
      safeFileName,
    ),
  ).toEqual(['passwd', 'b.txt', 'file', '_con.txt', 'a_b', 'harbour at dawn.wav']);
});
