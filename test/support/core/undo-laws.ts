import { expect, test } from 'vitest';
import type { TransferRig } from './transfers-rig.ts';

/** Enables versioning for a bucket of a rig. */
export async function keepVersions(rig: TransferRig, bucket: string): Promise<void> {
  await rig.client.putBucketDocument({
    bucket,
    query: 'versioning',
    operation: 'BucketVersioning',
    text: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>',
  });
}

const here = (rig: TransferRig) => ({ connectionId: 'c', bucket: rig.bucket });

async function undo(rig: TransferRig, direction: 'undo' | 'redo' = 'undo') {
  const entry = rig.undos.state()[direction];
  if (entry === null) throw new Error(`There is nothing to ${direction}.`);
  return await rig.settle((await rig.undos.undo(entry.id)).jobId ?? '');
}

async function rename(rig: TransferRig, key: string, newName: string): Promise<void> {
  const { jobId } = rig.operations.rename({
    ...here(rig),
    item: key.endsWith('/') ? { kind: 'prefix', prefix: key } : { kind: 'key', key },
    newName,
    onConflict: 'ask',
  });
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
}

async function copy(rig: TransferRig, prefix: string, to: string): Promise<string> {
  const { jobId } = rig.operations.copy({
    from: { ...here(rig), basePrefix: prefix },
    items: [{ kind: 'prefix', prefix }],
    to: { ...here(rig), prefix: to },
    options: { onConflict: 'overwrite', isMove: false },
  });
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
  return jobId ?? '';
}

/** Defines the tests of undo that must pass on every service without versioning. A suite calls it with its rig. */
export function undoLaws(rigOf: () => TransferRig): void {
  test('undoes and redoes the rename of a folder', async () => {
    const rig = rigOf();
    await rig.put('old/a', Buffer.from('a'));
    await rig.put('old/b/c', Buffer.from('c'));
    await rename(rig, 'old/', 'new');
    expect(rig.undos.state()).toMatchObject({ undo: { kind: 'rename', name: 'old', isPossible: true } });
    expect(await undo(rig)).toMatchObject({ state: 'done', items: { done: 2 }, undoes: { kind: 'move' } });
    expect(await rig.keys()).toEqual(['old/a', 'old/b/c']);
    expect(rig.undos.state().redo).toMatchObject({ name: 'old' });
    expect(await undo(rig, 'redo')).toMatchObject({ state: 'done', undoes: { isRedo: true } });
    expect(await rig.keys()).toEqual(['new/a', 'new/b/c']);
    expect(await undo(rig)).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['old/a', 'old/b/c']);
  });

  test('keeps what was changed since, names it and loses nothing', async () => {
    const rig = rigOf();
    for (const name of ['a', 'b', 'c']) await rig.put(`old/${name}`, Buffer.from(name));
    await rename(rig, 'old/', 'new');
    await rig.put('new/b', Buffer.from('somebody else wrote this'));
    await rig.put('old/c', Buffer.from('and put this in the place it came from'));
    const job = await undo(rig);
    expect(job).toMatchObject({ state: 'done', items: { done: 1, skipped: 2, noted: 2 } });
    const notes = rig.items(job.id).map(({ key, note }) => [key, note]);
    expect(notes).toEqual([
      ['new/a', null],
      ['new/b', 'changed-since'],
      ['new/c', 'changed-since'],
    ]);
    expect(await rig.keys()).toEqual(['new/b', 'new/c', 'old/a', 'old/c']);
    expect(String(await rig.object('new/b'))).toBe('somebody else wrote this');
    expect(String(await rig.object('old/c'))).toBe('and put this in the place it came from');
  });

  test('deletes of a copy only what it created and what still has its original', async () => {
    const rig = rigOf();
    for (const name of ['a', 'b', 'c']) await rig.put(`from/${name}`, Buffer.from(name));
    await copy(rig, 'from/', 'to/');
    await rig.put('to/a', Buffer.from('changed'));
    await rig.client.deleteObject({ bucket: rig.bucket, key: 'from/b' });
    const job = await undo(rig);
    expect(rig.items(job.id).map(({ key, state, note }) => [key, state, note])).toEqual([
      ['to/a', 'skipped', 'changed-since'],
      ['to/b', 'skipped', 'copy-kept'],
      ['to/c', 'done', null],
    ]);
    expect(await rig.keys()).toEqual(['from/a', 'from/c', 'to/a', 'to/b']);
  });

  test('redoes a copy without overwriting what appeared in its place', async () => {
    const rig = rigOf();
    for (const name of ['a', 'b', 'c']) await rig.put(`from/${name}`, Buffer.from(name));
    await copy(rig, 'from/', 'to/');
    await undo(rig);
    expect(await rig.keys()).toEqual(['from/a', 'from/b', 'from/c']);
    expect(rig.undos.state().redo).toMatchObject({ kind: 'copy', isPossible: true });
    await rig.put('from/b', Buffer.from('another'));
    await rig.put('to/c', Buffer.from('somebody else'));
    const redone = await undo(rig, 'redo');
    expect(redone).toMatchObject({ state: 'done', undoes: { kind: 'copy', isRedo: true } });
    expect(rig.items(redone.id).map(({ key, state, note }) => [key, state, note])).toEqual([
      ['from/a', 'done', null],
      ['from/b', 'skipped', 'changed-since'],
      ['from/c', 'skipped', 'changed-since'],
    ]);
    expect(await rig.keys()).toEqual(['from/a', 'from/b', 'from/c', 'to/a', 'to/c']);
    expect(String(await rig.object('to/c'))).toBe('somebody else');
    // Undo removes only what the redo created.
    expect(rig.undos.state().undo).toMatchObject({ kind: 'copy' });
    expect(await undo(rig)).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(await rig.keys()).toEqual(['from/a', 'from/b', 'from/c', 'to/c']);
  });

  test('an undone move that replaced something leaves its copy, and says so beforehand', async () => {
    const rig = rigOf();
    await rig.put('from/a', Buffer.from('new'));
    await rig.put('to/a', Buffer.from('was there'));
    const { jobId } = rig.operations.copy({
      from: { ...here(rig), basePrefix: 'from/' },
      items: [{ kind: 'prefix', prefix: 'from/' }],
      to: { ...here(rig), prefix: 'to/' },
      options: { onConflict: 'overwrite', isMove: true },
    });
    await rig.settle(jobId ?? '');
    expect(rig.undos.state().undo).toMatchObject({ isPossible: true, replaced: 'lost' });
    const job = await undo(rig);
    expect(rig.items(job.id).map(({ key, note }) => [key, note])).toEqual([['to/a', 'replaced']]);
    expect(await rig.keys()).toEqual(['from/a', 'to/a']);
  });

  test('says that an object replaced by a copy cannot be restored', async () => {
    const rig = rigOf();
    await rig.put('from/a', Buffer.from('new'));
    await rig.put('to/a', Buffer.from('was there'));
    await copy(rig, 'from/', 'to/');
    expect(rig.undos.state().undo).toMatchObject({ kind: 'copy', isPossible: false });
    await expect(rig.undos.undo(rig.undos.state().undo?.id ?? '')).rejects.toThrow('was not kept');
    expect(String(await rig.object('to/a'))).toBe('new');
  });

  test('restores changed properties and tags except those changed since', async () => {
    const rig = rigOf();
    for (const key of ['a', 'b'])
      await rig.client.putObject({
        bucket: rig.bucket,
        key,
        contentType: 'text/plain',
        metadata: { owner: 'me' },
        body: { sizeBytes: 1, open: () => Buffer.from('x') },
      });
    const { jobId } = rig.operations.change(
      here(rig),
      ['a', 'b'].map((key) => ({ kind: 'key', key }) as const),
      {
        contentType: 'text/csv',
        cacheControl: 'no-store',
        metadata: { replaceAll: false, set: { owner: 'you', more: '1' }, remove: [] },
      },
    );
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2 } });
    await rig.put('b', Buffer.from('another'));
    const job = await undo(rig);
    expect(rig.items(job.id).map(({ key, note }) => [key, note])).toEqual([
      ['a', null],
      ['b', 'changed-since'],
    ]);
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'a' });
    expect(head).toMatchObject({ contentType: 'text/plain', metadata: { owner: 'me' } });
    expect(head.metadata['more']).toBeUndefined();
    expect(head.headers['cache-control'] ?? null).toBeNull();
  });

  test('deletes a new folder while its placeholder is untouched', async () => {
    const rig = rigOf();
    await rig.operations.createFolder({ ...here(rig), prefix: '', name: 'made' }, undefined);
    expect(rig.undos.state().undo).toMatchObject({ kind: 'new-folder', name: 'made' });
    await rig.put('made/kept', Buffer.from('x'));
    expect(await undo(rig)).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(await rig.keys()).toEqual(['made/kept']);
  });

  test('redoes a new folder and undoes it again', async () => {
    const rig = rigOf();
    await rig.operations.createFolder({ ...here(rig), prefix: 'a/', name: 'b/made' }, undefined);
    for (let times = 0; times < 2; times += 1) {
      await undo(rig);
      expect(await rig.keys()).toEqual([]);
      const { redo } = rig.undos.state();
      expect(redo).toMatchObject({ kind: 'new-folder', name: 'made', isPossible: true });
      const folder = { ...here(rig), key: 'a/b/made/', created: true };
      expect(await rig.undos.undo(redo?.id ?? '')).toEqual({ jobId: null, folder });
      expect(await rig.keys()).toEqual(['a/b/made/']);
      expect(rig.undos.state()).toMatchObject({ undo: { kind: 'new-folder' }, redo: null });
    }
  });

  test('keeps a folder that others created before a redo', async () => {
    const rig = rigOf();
    await rig.operations.createFolder({ ...here(rig), prefix: '', name: 'made' }, undefined);
    await undo(rig);
    await rig.put('made/', Buffer.from('theirs'));
    expect(await rig.undos.undo(rig.undos.state().redo?.id ?? '')).toMatchObject({
      folder: { created: false },
    });
    expect(String(await rig.object('made/'))).toBe('theirs');
  });

  test('offers no redo after a new operation', async () => {
    const rig = rigOf();
    await rig.put('from/a', Buffer.from('a'));
    await copy(rig, 'from/', 'to/');
    await undo(rig);
    await rig.operations.createFolder({ ...here(rig), prefix: '', name: 'made' }, undefined);
    expect(rig.undos.state().redo).toBeNull();
  });

  test('cannot undo a deletion without versions, nor anything older in its place', async () => {
    const rig = rigOf();
    await rig.put('old', Buffer.from('x'));
    await rename(rig, 'old', 'new');
    await rig.put('gone', Buffer.from('x'));
    const { jobId } = rig.operations.delete(here(rig), [{ kind: 'key', key: 'gone' }], 'markers');
    await rig.settle(jobId);
    expect(rig.undos.state().undo).toMatchObject({ kind: 'delete', isPossible: false });
  });
}

/** Defines the additional tests of undo in a versioned bucket. */
export function undoLawsOfVersions(rigOf: () => TransferRig, bucketOf: () => string): void {
  async function put(key: string, text: string): Promise<void> {
    const body = { sizeBytes: text.length, open: () => Buffer.from(text) };
    await rigOf().client.putObject({ bucket: bucketOf(), key, body });
  }

  test('restores deleted objects except those created again by others', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    for (const key of ['gone/a', 'gone/b', 'gone/c']) await put(key, key);
    const place = { connectionId: 'c', bucket };
    const { jobId } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'gone/' }], 'markers');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 3 } });
    await put('gone/b', 'anew');
    const job = await undo(rig);
    expect(rig.items(job.id).map(({ key, note }) => [key, note])).toEqual([
      ['gone/a', null],
      ['gone/b', 'changed-since'],
      ['gone/c', null],
    ]);
    expect(String(await rig.object('gone/a', bucket))).toBe('gone/a');
    expect(String(await rig.object('gone/b', bucket))).toBe('anew');
    expect(String(await rig.object('gone/c', bucket))).toBe('gone/c');
  });

  test('redoes a deletion of restored objects, keeping versions, and undoes it again', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    for (const key of ['again/a', 'again/b']) await put(key, key);
    const place = { connectionId: 'c', bucket };
    const { jobId } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'again/' }], 'markers');
    await rig.settle(jobId);
    await undo(rig);
    await put('again/b', 'anew');
    await put('again/c', 'another');
    const redone = await undo(rig, 'redo');
    expect(redone).toMatchObject({ state: 'done', undoes: { kind: 'delete', isRedo: true } });
    expect(rig.items(redone.id).map(({ key, note }) => [key, note])).toEqual([
      ['again/a', null],
      ['again/b', 'changed-since'],
    ]);
    expect(await rig.object('again/a', bucket)).toBeNull();
    expect(String(await rig.object('again/b', bucket))).toBe('anew');
    expect(String(await rig.object('again/c', bucket))).toBe('another');
    expect(await undo(rig)).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(String(await rig.object('again/a', bucket))).toBe('again/a');
  });

  test('restores deleted objects below a prefix, leaves keys that are taken again, and deletes them by an undo', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    for (const key of ['bin/a', 'bin/b', 'bin/c', 'bins/d']) await put(key, key);
    const place = { connectionId: 'c', bucket };
    const { jobId: deletion } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'bin' }], 'markers');
    await rig.settle(deletion);
    await put('bin/b', 'anew');
    const { jobId } = rig.operations.restore(place, [{ kind: 'prefix', prefix: 'bin/' }]);
    expect(await rig.settle(jobId)).toMatchObject({
      state: 'done',
      isRestore: true,
      outcome: 'restored',
      items: { done: 2, failed: 0 },
    });
    expect(rig.items(jobId).map(({ key }) => key)).toEqual(['bin/a', 'bin/c']);
    expect(String(await rig.object('bin/a', bucket))).toBe('bin/a');
    expect(String(await rig.object('bin/b', bucket))).toBe('anew');
    expect(await rig.object('bins/d', bucket)).toBeNull();
    expect(rig.undos.state().undo).toMatchObject({ kind: 'restore', isPossible: true });
    await undo(rig);
    expect(await rig.object('bin/a', bucket)).toBeNull();
    expect(String(await rig.object('bin/b', bucket))).toBe('anew');
    expect(await undo(rig, 'redo')).toMatchObject({ state: 'done', items: { done: 2 } });
    expect(String(await rig.object('bin/c', bucket))).toBe('bin/c');
  });

  test('restores one object by its delete marker, unless the key is taken again', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    for (const key of ['one/a', 'one/b']) await put(key, key);
    const place = { connectionId: 'c', bucket };
    const { jobId: deletion } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'one/' }], 'markers');
    await rig.settle(deletion);
    const { versions } = await rig.client.listObjectVersions({ bucket, prefix: 'one/' });
    const items = versions
      .filter(({ isLatest, isDeleteMarker }) => isLatest && isDeleteMarker)
      .map(({ key, versionId }) => ({ kind: 'key' as const, key, versionId }));
    await put('one/b', 'anew');
    const { jobId } = rig.operations.restore(place, items);
    await rig.settle(jobId);
    expect(rig.items(jobId).map(({ key, note }) => [key, note])).toEqual([
      ['one/a', null],
      ['one/b', 'changed-since'],
    ]);
    expect(String(await rig.object('one/a', bucket))).toBe('one/a');
    expect(String(await rig.object('one/b', bucket))).toBe('anew');
  });

  test('does not delete again what existed before versioning', async () => {
    const rig = rigOf();
    const bucket = `${bucketOf()}-since`;
    await rig.client.createBucket({ bucket });
    const body = { sizeBytes: 5, open: () => Buffer.from('early') };
    await rig.client.putObject({ bucket, key: 'early', body });
    await keepVersions(rig, bucket);
    const place = { connectionId: 'c', bucket };
    const { jobId } = rig.operations.delete(place, [{ kind: 'key', key: 'early' }], 'markers');
    await rig.settle(jobId);
    await undo(rig);
    expect(String(await rig.object('early', bucket))).toBe('early');
    expect(rig.undos.state().redo).toMatchObject({ kind: 'delete', isPossible: false });
  });

  async function move(from: string, to: string): Promise<void> {
    const place = { connectionId: 'c', bucket: bucketOf() };
    const { jobId } = rigOf().operations.copy({
      from: { ...place, basePrefix: from },
      items: [{ kind: 'prefix', prefix: from }],
      to: { ...place, prefix: to },
      options: { onConflict: 'overwrite', isMove: true },
    });
    expect(await rigOf().settle(jobId ?? '')).toMatchObject({ state: 'done' });
  }

  test('an undone move restores the object that it replaced, and says so beforehand', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    for (let at = 0; at < 20; at += 1) {
      await put(`moved/${at}`, `new ${at}`);
      if (at % 2 === 0) await put(`place/${at}`, `old ${at}`);
    }
    await move('moved/', 'place/');
    expect(String(await rig.object('place/4', bucket))).toBe('new 4');
    expect(rig.undos.state().undo).toMatchObject({ isPossible: true, replaced: 'restored' });
    const job = await undo(rig);
    expect(job).toMatchObject({ state: 'done', items: { done: 20 } });
    expect(rig.items(job.id).map(({ note }) => note)).toEqual(Array.from({ length: 20 }, () => null));
    for (let at = 0; at < 20; at += 1) {
      expect(String(await rig.object(`moved/${at}`, bucket))).toBe(`new ${at}`);
      const replaced = await rig.object(`place/${at}`, bucket);
      expect(replaced === null ? null : String(replaced)).toBe(at % 2 === 0 ? `old ${at}` : null);
    }
    // Only the moves that replaced nothing can be redone without replacing an object.
    const redone = await undo(rig, 'redo');
    expect(redone).toMatchObject({ state: 'done', items: { done: 10, skipped: 10 } });
    expect(String(await rig.object('place/0', bucket))).toBe('old 0');
    expect(String(await rig.object('moved/0', bucket))).toBe('new 0');
    expect(String(await rig.object('place/1', bucket))).toBe('new 1');
  });

  test('an undone move leaves alone what was written over it since', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    await put('sent/a', 'new');
    await put('target/a', 'old');
    await move('sent/', 'target/');
    await put('target/a', 'written since');
    const job = await undo(rig);
    expect(rig.items(job.id).map(({ key, note }) => [key, note])).toEqual([['target/a', 'changed-since']]);
    expect(String(await rig.object('target/a', bucket))).toBe('written since');
    expect(await rig.object('sent/a', bucket)).toBeNull();
  });

  test('restores what a copy replaced', async () => {
    const rig = rigOf();
    const bucket = bucketOf();
    await put('from/a', 'new');
    await put('to/a', 'was there');
    const place = { connectionId: 'c', bucket };
    const { jobId } = rig.operations.copy({
      from: { ...place, basePrefix: 'from/' },
      items: [{ kind: 'prefix', prefix: 'from/' }],
      to: { ...place, prefix: 'to/' },
      options: { onConflict: 'overwrite', isMove: false },
    });
    expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
    expect(String(await rig.object('to/a', bucket))).toBe('new');
    expect(rig.undos.state().undo).toMatchObject({ isPossible: true, replaced: 'restored' });
    expect(await undo(rig)).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(String(await rig.object('to/a', bucket))).toBe('was there');
    expect(String(await rig.object('from/a', bucket))).toBe('new');
    expect(rig.undos.state().redo).toMatchObject({ kind: 'copy', isPossible: false });
  });
}
