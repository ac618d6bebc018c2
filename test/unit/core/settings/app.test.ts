import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { ORPCError } from '@orpc/client';
import { describe, expect, test } from 'vitest';
import { createEventHub } from '../../../../electron/core/settings/events.ts';
import { defaultSettings } from '../../../../shared/models/default-settings.ts';
import { coreUnderTest } from '../../../support/core/core-under-test.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function appErrorOf(call: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return thrown instanceof ORPCError ? thrown.data : thrown;
}

describe('the event hub', () => {
  test('sends each event to all watchers subscribed at that time', async () => {
    const hub = createEventHub();
    const aborter = new AbortController();
    const first = hub.watch(aborter.signal);
    hub.emit({ kind: 'connections-changed' });
    const second = hub.watch(aborter.signal);
    hub.emit({ kind: 'settings-changed' });
    expect((await first.next()).value).toEqual({ kind: 'connections-changed' });
    expect((await first.next()).value).toEqual({ kind: 'settings-changed' });
    expect((await second.next()).value).toEqual({ kind: 'settings-changed' });
    aborter.abort();
    expect(await first.next()).toEqual({ done: true, value: undefined });
    expect(hub.watchers).toBe(0);
  });

  test('ends a waiting watcher when its signal aborts', async () => {
    const hub = createEventHub();
    const aborter = new AbortController();
    const waiting = hub.watch(aborter.signal).next();
    aborter.abort();
    expect((await waiting).done).toBe(true);
    expect((await hub.watch(aborter.signal).next()).done).toBe(true);
    expect(hub.watchers).toBe(0);
  });

  test('coalesces equal events for a slow watcher', async () => {
    const hub = createEventHub();
    const aborter = new AbortController();
    const slow = hub.watch(aborter.signal);
    for (let index = 0; index < 10_000; index++)
      hub.emit({ kind: 'buckets-changed', connectionId: String(index % 2) });
    expect((await slow.next()).value).toEqual({ kind: 'buckets-changed', connectionId: '0' });
    expect((await slow.next()).value).toEqual({ kind: 'buckets-changed', connectionId: '1' });
    aborter.abort();
    expect((await slow.next()).done).toBe(true);
  });
});

describe('settings', () => {
  test('start with defaults, change one at a time and persist', async () => {
    const first = coreUnderTest();
    expect(await first.client.settings.get()).toEqual(defaultSettings);
    await first.client.settings.update({ theme: 'dark' });
    await first.client.settings.update({ foldersFirst: false });
    const second = coreUnderTest({ dataDir: first.dataDir });
    expect(await second.client.settings.get()).toEqual({
      ...defaultSettings,
      theme: 'dark',
      foldersFirst: false,
    });
  });

  test('fall back to the default only for a value that cannot be read', async () => {
    const { client, dataDir } = coreUnderTest();
    await client.settings.update({ theme: 'dark', foldersFirst: false });
    const database = new DatabaseSync(path.join(dataDir, 'cooper.db'));
    database
      .prepare("UPDATE settings SET value = ? WHERE name = 'settings'")
      .run('{"theme":"pink","foldersFirst":false}');
    database.close();
    expect(await client.settings.get()).toEqual({ ...defaultSettings, foldersFirst: false });
  });
});

describe('view state', () => {
  test('is stored by name, and null if absent', async () => {
    const { client } = coreUnderTest();
    expect(await client.view.get({ name: 'tabs' })).toBeNull();
    await client.view.set({ name: 'tabs', value: { open: ['a', null] } });
    expect(await client.view.get({ name: 'tabs' })).toEqual({ open: ['a', null] });
  });

  test('over 256 kB is refused, and the previous state stays', async () => {
    const { client } = coreUnderTest();
    await client.view.set({ name: 'tabs', value: 'small' });
    const error = await appErrorOf(client.view.set({ name: 'tabs', value: 'x'.repeat(256 * 1024) }));
    expect(error).toMatchObject({ code: 'invalid-argument', reason: 'view-too-large' });
    expect(await client.view.get({ name: 'tabs' })).toBe('small');
  });
});

test('the name and location of a bookmark are limited in length', async () => {
  const { client } = coreUnderTest();
  const place = { connectionId: 'c', bucket: 'b', prefix: 'p/' };
  const { id } = await client.bookmarks.add({ name: 'x'.repeat(1024), ...place });
  const tooLong = [
    client.bookmarks.add({ name: 'x'.repeat(1025), ...place }),
    client.bookmarks.add({ ...place, name: 'x', bucket: 'x'.repeat(256) }),
    client.bookmarks.add({ ...place, name: 'x', prefix: 'x'.repeat(1025) }),
    client.bookmarks.rename({ bookmarkId: id, name: 'x'.repeat(1025) }),
  ];
  const outcomes = await Promise.allSettled(tooLong);
  expect(outcomes.map(({ status }) => status)).toEqual(tooLong.map(() => 'rejected'));
  expect(await client.bookmarks.list()).toHaveLength(1);
});

test('bookmarks can be added, renamed, reordered and removed', async () => {
  const { client } = coreUnderTest();
  const place = { connectionId: 'c', bucket: 'b', prefix: ' odd//prefix ' };
  const first = await client.bookmarks.add({ name: 'one', ...place });
  const two = await client.bookmarks.add({ name: 'two', ...place });
  await client.bookmarks.reorder({ bookmarkIds: [two.id, first.id] });
  await client.bookmarks.rename({ bookmarkId: first.id, name: 'first' });
  expect(await client.bookmarks.list()).toEqual([two, { ...first, name: 'first' }]);
  await client.bookmarks.remove({ bookmarkId: two.id });
  expect(await client.bookmarks.list()).toEqual([{ ...first, name: 'first' }]);
  expect(await appErrorOf(client.bookmarks.rename({ bookmarkId: two.id, name: 'x' }))).toMatchObject({
    code: 'not-found',
  });
});

test('typed buckets are stored per connection and removed with it', async () => {
  const { client } = coreUnderTest();
  const { id } = await client.connections.create({
    name: 'c',
    provider: 'custom',
    endpoint: 'http://127.0.0.1:1',
    region: null,
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'none' },
    start: null,
    auth: { kind: 'anonymous' },
  });
  const place = { connectionId: id, bucket: 'typed' };
  await client.buckets.remember(place);
  await client.buckets.remember(place);
  expect(await appErrorOf(client.buckets.remember({ ...place, bucket: 'a/b' }))).toMatchObject({
    reason: 'bucket-name',
  });
});

test('the core reports its host, version and abilities', async () => {
  const { client, dataDir } = coreUnderTest();
  expect(await client.app.info()).toMatchObject({
    host: 'browser',
    version: '1.0.0',
    secretProtection: 'memory',
    hasNativeDialogs: false,
    dataDir,
  });
});

test("the system's accent colour is validated and announced to windows when it changes", async () => {
  const { client, core } = coreUnderTest();
  const aborter = new AbortController();
  const events = core.events.watch(aborter.signal);
  expect((await client.app.info()).accent).toBeNull();
  core.setAccent('#0a64c8');
  expect((await events.next()).value).toEqual({ kind: 'accent-changed' });
  expect((await client.app.info()).accent).toBe('#0a64c8');
  expect(() => core.setAccent('red; background: url(x)')).toThrow('Invalid string');
  expect((await client.app.info()).accent).toBe('#0a64c8');
  aborter.abort();
});

test('a damaged database is set aside at the start, logged and announced to every window', async () => {
  const dataDir = tempDir();
  writeFileSync(path.join(dataDir, 'cooper.db'), 'damaged '.repeat(1000));
  const { client, core, ports } = coreUnderTest({ dataDir });
  expect(await client.connections.list()).toEqual([]);
  for (const stream of [core.events.watch(undefined), core.events.watch(undefined)]) {
    expect((await stream.next()).value).toMatchObject({ kind: 'set-aside', data: 'database' });
  }
  const warning = ports.logger.lines.find(({ level }) => level === 'warn');
  expect(warning?.fields['setAsideAs']).toMatch(/cooper\.db\.damaged-/);
});
