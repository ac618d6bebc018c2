import { createHash, hash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Core } from '../../../electron/core/core.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { coreUnderTest, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { fakePorts, type FakePorts } from '../../support/core/fake-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';
import type { Edit } from '../../../shared/models/edits.ts';

/** Starts a core with one document on the embedded service, and a fake shell that "opens" files. */
async function rig(
  options: { readonly key?: string; readonly dataDir?: string; readonly text?: string } = {},
) {
  const { key = 'letters/a.txt', dataDir = tempDir(), text: first = 'one' } = options;
  const serviceDir = path.join(tempDir(), 'service');
  const service = await serviceUnderTest({ dataDir: serviceDir });
  const bucket = service.store.buckets.create('papers', Date.now());
  if (bucket === null) throw new Error('The bucket already exists.');
  const put = (text: string) =>
    service.store.putBytes(bucket.id, key, Buffer.from(text), { modifiedMs: 1e12 });
  await put(first);
  const opened: string[] = [];
  const base = fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } });
  const ports: FakePorts = {
    ...base,
    shell: {
      ...base.shell,
      openPath: (file) => {
        opened.push(file);
        return Promise.resolve();
      },
    },
  };
  const { core, client } = coreUnderTest({ service, ports, dataDir });
  const [connection] = await client.connections.list();
  const place = { connectionId: connection?.id ?? '', bucket: 'papers', key };
  const aborter = new AbortController();
  onTestFinished(() => aborter.abort());
  const events = core.events.watch(aborter.signal);
  /** Waits until the core reports an edit that satisfies the condition. */
  const until = async (isSo: (edit: Edit | undefined) => boolean): Promise<Edit | undefined> => {
    for (;;) {
      const [edit] = await client.edits.list();
      if (isSo(edit)) return edit;
      if ((await events.next()).done === true) throw new Error('The core told nothing more.');
    }
  };
  const inBucket = async () => {
    const s3 = await core.connectionClient(place.connectionId);
    const got = await s3.getObject({ bucket: 'papers', key });
    const chunks = await got.body.toArray();
    return {
      text: Buffer.concat(chunks as Buffer[]).toString(),
      type: got.contentType,
      metadata: got.metadata,
    };
  };
  /** Reads the object through another core, since the tested one may be closed. */
  const stored = async () => {
    const other = coreUnderTest({ service });
    const s3 = await other.core.connectionClient(place.connectionId);
    const got = await s3.getObject({ bucket: 'papers', key });
    return Buffer.concat((await got.body.toArray()) as Buffer[]).toString();
  };
  return { core, client, place, put, opened, until, inBucket, dataDir, stored, serviceDir };
}

/** Returns the path at which the core keeps an edited file that it cannot take over. */
async function asideOf(core: Core): Promise<string> {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  for await (const event of core.events.watch(ending.signal))
    if (event.kind === 'set-aside' && event.data === 'edit') return event.where;
  throw new Error('The core told nothing of it.');
}

describe("an object opened with the system's program", () => {
  test('is a private file with the name of the object, and is uploaded on each save', async () => {
    const { client, place, opened, until, inBucket } = await rig();
    await client.edits.open(place);
    const file = opened[0] ?? '';
    expect(path.basename(file)).toBe('a.txt');
    expect(readFileSync(file, 'utf8')).toBe('one');
    const modes = [file, path.dirname(file)].map((name) => statSync(name).mode & 0o777);
    // Windows has no such modes.
    expect(process.platform === 'win32' ? [0o600, 0o700] : modes).toEqual([0o600, 0o700]);
    writeFileSync(file, 'two');
    await until((edit) => edit?.sentAt !== null && edit?.state === 'open');
    expect((await inBucket()).text).toBe('two');
    // Saves as many programs do: by renaming another file over it.
    writeFileSync(`${file}.new`, 'three');
    renameSync(`${file}.new`, file);
    await expect.poll(async () => (await inBucket()).text, { timeout: 4000 }).toBe('three');
    await until((edit) => edit?.state === 'open');
  });

  test("is not opened if its bytes differ from the service's", async () => {
    const text = 'as it was written '.repeat(1000);
    const { client, place, opened, serviceDir, dataDir } = await rig({ text });
    for (const name of readdirSync(serviceDir, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(serviceDir, name);
      if (statSync(file).size === text.length) writeFileSync(file, text.replace('written', 'damaged'));
    }
    await expect(client.edits.open(place)).rejects.toMatchObject({
      data: { code: 'damaged', reason: 'md5-differs' },
    });
    expect(opened).toEqual([]);
    expect(readdirSync(path.join(dataDir, 'edits'))).toEqual([]);
  });

  test('keeps its type, metadata and tags', async () => {
    const { core, client, place, opened, until, inBucket } = await rig();
    const s3 = await core.connectionClient(place.connectionId);
    const bytes = Buffer.from('typed');
    await s3.putObject({
      bucket: 'papers',
      key: place.key,
      contentType: 'text/markdown',
      metadata: { author: 'me' },
      headers: { 'x-amz-tagging': 'kind=letter' },
      body: { sizeBytes: bytes.length, open: () => bytes },
    });
    await client.edits.open(place);
    writeFileSync(opened[0] ?? '', 'changed');
    await until((edit) => edit?.sentAt !== null && edit?.state === 'open');
    expect(await inBucket()).toEqual({ text: 'changed', type: 'text/markdown', metadata: { author: 'me' } });
    expect(await s3.getObjectTags({ bucket: 'papers', key: place.key })).toEqual([
      { key: 'kind', value: 'letter' },
    ]);
  });

  test('is not uploaded over another change before the user agrees', async () => {
    const { client, place, opened, put, until, inBucket } = await rig();
    const { id } = await client.edits.open(place);
    await put('of another');
    writeFileSync(opened[0] ?? '', 'mine');
    const edit = await until((now) => now?.state === 'conflict');
    expect(edit?.error).toMatchObject({ code: 'conflict', reason: 'edit-changed' });
    expect((await inBucket()).text).toBe('of another');
    await client.edits.overwrite({ editId: id });
    await until((now) => now?.state === 'open');
    expect((await inBucket()).text).toBe('mine');
  });

  test('is uploaded and removed from disk when the program ends', async () => {
    const { core, client, place, opened, inBucket, dataDir, stored } = await rig();
    await client.edits.open(place);
    writeFileSync(opened[0] ?? '', 'last words');
    expect((await inBucket()).text).toBe('one');
    await core.close();
    expect(readdirSync(path.join(dataDir, 'edits'))).toEqual([]);
    expect(await stored()).toBe('last words');
  });

  test('is kept and uploaded at the next start if it could not be sent', async () => {
    const dataDir = tempDir();
    const first = await rig({ dataDir });
    await first.client.edits.open(first.place);
    await first.put('of another');
    writeFileSync(first.opened[0] ?? '', 'unsent');
    await first.until((edit) => edit?.state === 'conflict');
    await first.core.close();
    const [left] = readdirSync(path.join(dataDir, 'edits'));
    expect(readFileSync(path.join(dataDir, 'edits', left ?? '', 'a.txt'), 'utf8')).toBe('unsent');
    const second = await rig({ dataDir, text: 'of another' });
    const edit = await second.until((now) => now?.state === 'conflict');
    expect(edit).toMatchObject({ bucket: 'papers', key: 'letters/a.txt' });
    await second.client.edits.discard({ editId: edit?.id ?? '' });
    expect(readdirSync(path.join(dataDir, 'edits'))).toEqual([]);
    expect(await second.client.edits.list()).toEqual([]);
  });

  test('truncated by a crash is removed at the next start', async () => {
    const dataDir = tempDir();
    mkdirSync(path.join(dataDir, 'edits', 'cut'), { recursive: true });
    writeFileSync(path.join(dataDir, 'edits', 'cut', 'a.txt'), 'hal');
    await rig({ dataDir });
    await expect.poll(() => existsSync(path.join(dataDir, 'edits', 'cut'))).toBe(false);
  });

  test.each([
    ['is damaged', (record: string) => writeFileSync(record, '{"version":1,')],
    ['is empty', (record: string) => writeFileSync(record, '')],
    ['cannot be read', (record: string) => mkdirSync(record)],
  ])('is kept and reported if its record %s', async (_what, damage) => {
    const dataDir = tempDir();
    const dir = path.join(dataDir, 'edits', 'unsent');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'a.txt'), 'the only copy');
    damage(path.join(dir, 'edit.json'));
    const { core } = await rig({ dataDir });
    const aside = await asideOf(core);
    expect(readFileSync(path.join(aside, 'a.txt'), 'utf8')).toBe('the only copy');
    await core.close();
    // The next start does not move the file.
    const second = await rig({ dataDir });
    await second.core.close();
    expect(readFileSync(path.join(aside, 'a.txt'), 'utf8')).toBe('the only copy');
  });

  test('is kept under the name that another program saved if the file itself is missing', async () => {
    const dataDir = tempDir();
    const first = await rig({ dataDir });
    await first.client.edits.open(first.place);
    const file = first.opened[0] ?? '';
    renameSync(file, `${file}~`);
    await first.core.close();
    const second = await rig({ dataDir });
    expect(readFileSync(path.join(await asideOf(second.core), 'a.txt~'), 'utf8')).toBe('one');
  });

  test.each([
    'run.sh',
    'run.exe',
    'run.bat',
    'run.cmd',
    'run.com',
    'run.msi',
    'run.ps1',
    'run.js',
    'run.vbs',
    'run.jar',
    'run.py',
    'run.command',
    'run.app',
    'run.desktop',
    'run.lnk',
    'run.url',
    'run.scr',
    'run.hta',
    'run.reg',
    'run.html',
    'run.svg',
    'macro.docm',
    'macro.xlsm',
    'run.AppImage',
    'noending',
    '.txt',
    'a.txt.sh',
    'a.txt.',
    'a.txt ',
    'a.txt\u202egpj.exe',
    'folder.txt/',
  ])('is never opened if it is named %j', async (key) => {
    const { client, place, opened } = await rig({ key });
    await expect(client.edits.open(place)).rejects.toMatchObject({ data: { code: 'unsupported' } });
    expect(opened).toEqual([]);
  });
});

describe('an edited object named like the record file', () => {
  test('is uploaded as saved, not as the record', async () => {
    const { core, client, place, opened, until, stored } = await rig({ key: 'edit.json', text: '{}' });
    await client.edits.open(place);
    expect(readFileSync(opened[0] ?? '', 'utf8')).toBe('{}');
    writeFileSync(opened[0] ?? '', '{"mine":1}');
    await until((edit) => edit?.sentAt !== null && edit?.state === 'open');
    await core.close();
    expect(await stored()).toBe('{"mine":1}');
  });

  test("is not uploaded from an earlier version's copy that the record replaced", async () => {
    const dataDir = tempDir();
    const dir = path.join(dataDir, 'edits', 'replaced');
    mkdirSync(dir, { recursive: true });
    const first = await rig({ key: 'edit.json', text: '{}' });
    const etag = `"${createHash('md5').update('{}').digest('hex')}"`;
    const was = { version: 1, ...first.place, fileName: 'edit.json', etag, md5: 'of-the-copy' };
    writeFileSync(path.join(dir, 'edit.json'), JSON.stringify(was));
    const { core, inBucket } = await rig({ key: 'edit.json', text: '{}', dataDir });
    expect(readdirSync(await asideOf(core))).toEqual(['edit.json']);
    expect((await inBucket()).text).toBe('{}');
  });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const etagOf = (text: string): string => `"${createHash('md5').update(text).digest('hex')}"`;
const copies = (dataDir: string): string[] =>
  readdirSync(path.join(dataDir, 'edits'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('a.txt'),
  );

const started = async (options: Parameters<typeof rig>[0] = {}) => {
  const made = await rig(options);
  const saving = (text: string, etag: string, editId: string | null = null) =>
    made.client.edits.save({ ...made.place, editId, etag, contentBase64: base64(text) });
  return { ...made, saving };
};

describe('a text edited in the window', () => {
  test('is uploaded on each save, and its local copy is deleted when the program ends', async () => {
    const { core, saving, inBucket, dataDir } = await started();
    const first = await saving('two', etagOf('one'));
    expect(first).toMatchObject({ state: 'open', etag: etagOf('two'), error: null });
    expect(first.sentAt).not.toBeNull();
    const second = await saving('three', first.etag ?? '', first.id);
    expect(second).toMatchObject({ id: first.id, state: 'open', etag: etagOf('three') });
    expect((await inBucket()).text).toBe('three');
    await core.close();
    expect(readdirSync(path.join(dataDir, 'edits'))).toEqual([]);
  });

  test('keeps the type and metadata of its object', async () => {
    const { core, place, saving, inBucket } = await started();
    const s3 = await core.connectionClient(place.connectionId);
    const bytes = Buffer.from('typed');
    const { etag } = await s3.putObject({
      bucket: 'papers',
      key: place.key,
      contentType: 'text/markdown',
      metadata: { author: 'me' },
      body: { sizeBytes: bytes.length, open: () => bytes },
    });
    await saving('changed', etag ?? '');
    expect(await inBucket()).toEqual({ text: 'changed', type: 'text/markdown', metadata: { author: 'me' } });
  });

  test('is stored with new checksums by the algorithms of the old ones', async () => {
    const { core, place, saving } = await started();
    const s3 = await core.connectionClient(place.connectionId);
    const ref = { bucket: 'papers', key: place.key };
    const bytes = Buffer.from('summed');
    const { etag } = await s3.putObject({
      ...ref,
      headers: { 'x-amz-checksum-sha256': hash('sha256', bytes, 'base64') },
      body: { sizeBytes: bytes.length, open: () => bytes },
    });
    expect(await saving('changed', etag ?? '')).toMatchObject({ error: null });
    const { headers } = await s3.headObject({ ...ref, checksums: true });
    expect(headers['x-amz-checksum-sha256']).toBe(hash('sha256', 'changed', 'base64'));
  });

  test('waits on disk after another change until the user decides', async () => {
    const { client, saving, put, inBucket, dataDir } = await started();
    await put('of another');
    const edit = await saving('mine', etagOf('one'));
    expect(edit).toMatchObject({ state: 'conflict', error: { reason: 'edit-changed' } });
    expect((await inBucket()).text).toBe('of another');
    const [copy] = copies(dataDir);
    expect(readFileSync(path.join(dataDir, 'edits', copy ?? ''), 'utf8')).toBe('mine');
    // A second save during the conflict replaces the waiting text.
    expect(await saving('mine, longer', etagOf('one'), edit.id)).toMatchObject({ state: 'conflict' });
    await client.edits.overwrite({ editId: edit.id });
    expect((await inBucket()).text).toBe('mine, longer');
    expect(await client.edits.list()).toMatchObject([{ state: 'open', etag: etagOf('mine, longer') }]);
  });

  test('does not recreate a deleted object unless the user agrees', async () => {
    const { core, client, place, saving, inBucket } = await started();
    const s3 = await core.connectionClient(place.connectionId);
    await s3.deleteObject({ bucket: 'papers', key: place.key });
    const edit = await saving('mine', etagOf('one'));
    expect(edit.state).toBe('conflict');
    await client.edits.overwrite({ editId: edit.id });
    expect((await inBucket()).text).toBe('mine');
  });

  test('is uploaded at the next start if it could not be sent', async () => {
    const dataDir = tempDir();
    const first = await started({ dataDir });
    await first.put('of another');
    await first.saving('mine', etagOf('one'));
    await first.core.close();
    const second = await started({ dataDir });
    await second.until((edit) => edit?.state === 'open' && edit.sentAt !== null);
    expect((await second.inBucket()).text).toBe('mine');
  });

  test('is no conflict with itself if the program ended between PUT and record', async () => {
    const dataDir = tempDir();
    const dir = path.join(dataDir, 'edits', 'sent');
    mkdirSync(dir, { recursive: true });
    const { place } = await rig();
    const record = { version: 1, ...place, fileName: 'a.txt', etag: etagOf('one'), md5: '' };
    writeFileSync(path.join(dir, 'edit.json'), JSON.stringify(record));
    writeFileSync(path.join(dir, 'a.txt'), 'two');
    const { until } = await rig({ dataDir, text: 'two' });
    const edit = await until((now) => now !== undefined && (now.error !== null || now.sentAt !== null));
    expect(edit).toMatchObject({ state: 'open', error: null });
  });

  test('is refused and not uploaded if it cannot be stored on disk', async () => {
    const { client, saving, inBucket, dataDir } = await started();
    writeFileSync(path.join(dataDir, 'edits'), 'no folder');
    await expect(saving('two', etagOf('one'))).rejects.toMatchObject({ data: { code: 'storage' } });
    expect((await inBucket()).text).toBe('one');
    expect(await client.edits.list()).toEqual([]);
  });

  test('is refused above 5 MiB', async () => {
    const { saving, inBucket } = await started();
    await expect(saving('x'.repeat(5 * 1024 ** 2 + 1), etagOf('one'))).rejects.toMatchObject({
      data: { code: 'invalid-argument' },
    });
    expect((await inBucket()).text).toBe('one');
  });

  test('of one object is never written to the copy of another', async () => {
    const { client, place, saving, inBucket, put } = await started();
    await put('of another');
    const edit = await saving('mine', etagOf('one'));
    const other = await client.edits.save({
      ...place,
      key: 'letters/b.txt',
      editId: edit.id,
      etag: etagOf('none'),
      contentBase64: base64('other'),
    });
    expect(other.id).not.toBe(edit.id);
    await client.edits.overwrite({ editId: edit.id });
    expect((await inBucket()).text).toBe('mine');
  });
});

test('editing is unsupported on a host without a way to open files', async () => {
  const service = await serviceUnderTest();
  const { client } = coreUnderTest({ service });
  const [connection] = await client.connections.list();
  await expect(
    client.edits.open({ connectionId: connection?.id ?? '', bucket: 'x', key: 'a.txt' }),
  ).rejects.toMatchObject({ data: { code: 'unsupported' } });
});

test.each(['a link to', 'a hard link to'])(
  'a copy that another program replaces with %s a secret file is not uploaded',
  async (how) => {
    const { client, place, opened, until, inBucket, dataDir } = await rig();
    await client.edits.open(place);
    const secret = path.join(dataDir, 'secrets.json');
    writeFileSync(secret, 'secret');
    const [file = ''] = opened;
    rmSync(file);
    if (how === 'a link to') symlinkSync(secret, file);
    else linkSync(secret, file);
    const edit = await until((state) => state?.state === 'failed');
    expect(edit?.error?.reason).toBe('edit-replaced');
    expect((await inBucket()).text).toBe('one');
  },
);
