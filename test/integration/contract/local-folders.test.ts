import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { transports } from '../../support/core/contract-client.ts';
import { coreUnderTest, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { tempDir } from '../../support/temp-dir.ts';

const page = { offset: 0, limit: 100, text: '' };

/** Creates a home folder with entries that a pane may show, and links to entries that it must not. */
function homeFolder(): { readonly home: string; readonly outside: string } {
  const [home, outside] = [tempDir(), tempDir()];
  mkdirSync(path.join(home, 'pictures', 'album'), { recursive: true });
  mkdirSync(path.join(home, '.keys'));
  writeFileSync(path.join(home, '.keys', 'id'), 'secret');
  writeFileSync(path.join(home, 'pictures', 'harbour.txt'), 'harbour');
  writeFileSync(path.join(home, 'pictures', 'album', 'pier.txt'), 'pier');
  writeFileSync(path.join(outside, 'theirs.txt'), 'theirs');
  symlinkSync(outside, path.join(home, 'pictures', 'out'));
  symlinkSync(path.join(home, 'pictures', 'y'), path.join(home, 'pictures', 'x'));
  symlinkSync(path.join(home, 'pictures', 'x'), path.join(home, 'pictures', 'y'));
  vi.stubEnv('HOME', home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return { home, outside };
}

async function folderAt(client: CoreClient, ...way: readonly string[]): Promise<string> {
  const root = (await client.files.roots()).find(({ role }) => role === 'home');
  let handle = root?.handle ?? '';
  for (const name of way) {
    const { entries } = await client.files.list({ folderHandle: handle, ...page });
    handle = entries.find((entry) => entry.name === name)?.handle ?? '';
  }
  return handle;
}

async function untilDone(client: CoreClient, jobId: string): Promise<void> {
  await vi.waitFor(async () => expect((await client.jobs.get({ jobId })).state).toBe('done'), {
    timeout: 10_000,
    interval: 20,
  });
}

// Windows has no HOME, and creating links needs a privilege there.
describe.skipIf(process.platform === 'win32').each(transports)('local folders over %s', (_, transport) => {
  test('are listed within their roots, and no response contains a path', async () => {
    const { home } = homeFolder();
    const { core } = coreUnderTest();
    const connection = await transport(core.router);
    onTestFinished(async () => {
      await connection.disconnect();
    });
    const { client } = connection;
    const folderHandle = await folderAt(client, 'pictures');
    const listed = await client.files.list({ folderHandle, ...page });
    expect(listed.entries.map(({ name }) => name)).toEqual(['album', 'harbour.txt']);
    expect(listed.leftOut).toBe(3);
    expect(JSON.stringify([await client.files.roots(), listed])).not.toContain(home);
  });

  test.each(['..', '../escaped', 'a/b', '/tmp/escaped', 'nul\0byte'])(
    'are not created under the name %j',
    async (name) => {
      const { home } = homeFolder();
      const { core } = coreUnderTest();
      const connection = await transport(core.router);
      onTestFinished(async () => {
        await connection.disconnect();
      });
      const { client } = connection;
      const folderHandle = await folderAt(client, 'pictures', 'album');
      await expect(client.files.makeFolder({ folderHandle, name })).rejects.toMatchObject({
        data: { code: 'invalid-argument', reason: 'local-name' },
      });
      expect(readdirSync(path.join(home, 'pictures', 'album'))).toEqual(['pier.txt']);
      expect(existsSync(path.join(home, 'pictures', 'escaped'))).toBe(false);
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'files of a local pane are uploaded by handle and downloaded into a folder by handle',
  async () => {
    const { home } = homeFolder();
    const service = await serviceUnderTest();
    const { core, client } = coreUnderTest({ service });
    const s3 = await core.connectionClient('samples');
    await s3.createBucket({ bucket: 'panes' });
    const listed = await client.files.list({ folderHandle: await folderAt(client, 'pictures'), ...page });
    const up = await client.transfers.upload({
      connectionId: 'samples',
      bucket: 'panes',
      prefix: 'from disk/',
      fileHandles: listed.entries.map(({ handle }) => handle),
      options: await client.transfers.uploadDefaults({ connectionId: 'samples' }),
    });
    await untilDone(client, up.jobId);
    const made = await client.files.makeFolder({ folderHandle: await folderAt(client), name: 'back' });
    const down = await client.transfers.download({
      connectionId: 'samples',
      bucket: 'panes',
      basePrefix: 'from disk/',
      items: [
        { kind: 'prefix', prefix: 'from disk/album/' },
        { kind: 'key', key: 'from disk/harbour.txt' },
      ],
      folderHandle: made.handle,
      options: { onConflict: 'ask' },
    });
    await untilDone(client, down.jobId);
    expect(readFileSync(path.join(home, 'back', 'harbour.txt'), 'utf8')).toBe('harbour');
    expect(readFileSync(path.join(home, 'back', 'album', 'pier.txt'), 'utf8')).toBe('pier');
  },
);
