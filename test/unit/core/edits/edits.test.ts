import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createEdits } from '../../../../electron/core/edits/edits.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { failure } from '../../../../shared/errors.ts';
import { createEventHub } from '../../../../electron/core/settings/events.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** The paths that cannot be removed, as on Windows while another program has a file open. */
const locked = vi.hoisted(() => new Set<string>());
vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const rm: typeof fs.rm = async (target, options) => {
    if (locked.has(String(target))) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    await fs.rm(target, options);
  };
  return { ...fs, rm };
});

const place = { connectionId: 'c', bucket: 'papers', key: 'letters/a.txt' };
const halves = ['first half, ', 'second half'] as const;
const etag = `"${createHash('md5').update(halves.join('')).digest('hex')}"`;

/** Returns edits whose download has written its first half and waits for the second one. */
async function halfFetched() {
  const dir = path.join(tempDir(), 'edits');
  const body = new Readable({ read: () => undefined });
  body.push(halves[0]);
  const sendRest = (): void => {
    body.push(halves[1]);
    body.push(null);
  };
  const requests: string[] = [];
  const client = {
    getObject: async () => {
      requests.push('getObject');
      return await Promise.resolve({ body, sizeBytes: null, etag, headers: {} });
    },
    headObject: async () => {
      requests.push('headObject');
      return await Promise.resolve({ etag, sizeBytes: null, headers: {} });
    },
  } as unknown as S3Client;
  const base = fakePorts();
  const opened: string[] = [];
  const openPath = async (file: string): Promise<void> => {
    await Promise.resolve(opened.push(file));
  };
  const edits = createEdits({
    ports: { ...base, shell: { ...base.shell, openPath } },
    dir,
    client: async () => await Promise.resolve(client),
    events: createEventHub(),
    onSent: () => undefined,
  });
  const opening = edits.open(place);
  opening.catch(() => undefined);
  const copyOf = (id: string): string => path.join(dir, id, 'a.txt');
  const partial = (): boolean => {
    const [edit] = edits.list();
    return edit !== undefined && existsSync(copyOf(edit.id)) && readFileSync(copyOf(edit.id)).length > 0;
  };
  await expect.poll(partial).toBe(true);
  return { edits, opening, opened, sendRest, requests, dir };
}

test('quitting during a download ends it without another request, and leaves no partial copy', async () => {
  const { edits, opening, opened, requests, dir } = await halfFetched();
  await edits.close();
  await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
  expect(requests).toEqual(['getObject']);
  expect(opened).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

test.each(['overwrite', 'retry'] as const)('%s during a download sends no partial copy', async (send) => {
  const { edits, opening, sendRest, requests, dir } = await halfFetched();
  const [edit] = edits.list();
  const sent = edits[send](edit?.id ?? '');
  sendRest();
  await sent;
  expect(await opening).toMatchObject({ state: 'open', etag, error: null });
  expect(requests).toEqual(['getObject']);
  expect(readFileSync(path.join(dir, edit?.id ?? '', 'a.txt'), 'utf8')).toBe(halves.join(''));
  await edits.close();
});

/** Returns edits of a service that refuses each request, and the keys of these requests. */
function refusedEdits(dir: string) {
  const requests: string[] = [];
  const headObject = async ({ key }: { readonly key: string }): Promise<never> => {
    requests.push(key);
    await Promise.resolve();
    throw failure('access-denied', 'You may not.', { retry: 'after-fix' });
  };
  const edits = createEdits({
    ports: fakePorts(),
    dir,
    client: async () => await Promise.resolve({ headObject } as unknown as S3Client),
    events: createEventHub(),
    onSent: () => undefined,
  });
  const save = async (key: string): Promise<string> => {
    const contentBase64 = Buffer.from(key).toString('base64');
    return (await edits.save({ ...place, key, editId: null, etag, contentBase64 })).id;
  };
  return { edits, save, requests };
}

test('a later start does not send a discarded copy whose folder could not be removed', async () => {
  const dir = path.join(tempDir(), 'edits');
  const { edits, save } = refusedEdits(dir);
  const id = await save('a.txt');
  locked.add(path.join(dir, id));
  await expect(edits.discard(id)).rejects.toMatchObject({ code: 'EBUSY' });
  expect(edits.list()).toEqual([]);
  locked.clear();
  const next = refusedEdits(dir);
  await next.edits.start();
  await next.edits.close();
  expect(next.requests).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

test('quitting closes the other copies although the folder of one cannot be removed', async () => {
  const { edits, opening, sendRest, dir } = await halfFetched();
  sendRest();
  const { id } = await opening;
  locked.add(path.join(dir, id));
  const other = await edits.save({
    ...place,
    key: 'b.txt',
    editId: null,
    etag: '"b"',
    contentBase64: 'Yg==',
  });
  expect(other.state).toBe('conflict');
  await edits.close();
  locked.clear();
  expect(readdirSync(dir).toSorted()).toEqual([id, other.id].toSorted());
  expect(edits.list()).toEqual([]);
});
