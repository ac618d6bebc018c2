import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { runDesktop, type Recorded } from './stand-in.ts';

/** Tests electron-updater as bundled in the program, against a feed on this computer. */
const onLinux = process.platform === 'linux';
const newFile = '#!/bin/sh\necho started > "$(dirname "$0")/started"\n'.padEnd(200_000, '#\n');
const sha512 = createHash('sha512').update(newFile).digest('base64');

interface Feed {
  readonly address: string;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

async function startFeed(): Promise<Feed> {
  let mode = 'good';
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://feed');
    if (pathname.startsWith('/mode/')) {
      mode = pathname.slice('/mode/'.length);
      response.end();
      return;
    }
    asked.push(pathname);
    if (mode === 'gone' || (!pathname.endsWith('.yml') && !pathname.endsWith('.AppImage'))) {
      response.writeHead(404).end();
      return;
    }
    if (pathname.endsWith('.yml')) {
      response.end(listing(mode));
      return;
    }
    response.writeHead(200, { 'content-length': newFile.length });
    if (mode === 'tampered') response.end(newFile.replace('started', 'stolen!'));
    else if (mode === 'cut') {
      response.write(newFile.slice(0, 50_000), () => response.destroy());
    } else response.end(newFile);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${String(port)}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function listing(mode: string): string {
  const version = mode === 'older' ? '0.9.0' : '1.1.0';
  const hash = mode === 'unhashed' ? '' : `    sha512: ${sha512}\n`;
  return (
    `version: ${version}\nfiles:\n  - url: Cooper-${version}.AppImage\n${hash}    size: ${String(newFile.length)}\n` +
    `path: Cooper-${version}.AppImage\nreleaseDate: '2026-01-01T00:00:00.000Z'\n` +
    `releaseNotes: "<h2>New</h2><script>alert(1)</script><p>Better</p>"\n`
  );
}

function packaged(
  dir: string,
  options: { readonly feed?: string; readonly type?: string },
): { readonly resources: string; readonly appImage: string; readonly cache: string } {
  const resources = path.join(dir, 'resources');
  const cache = path.join(dir, 'cache');
  mkdirSync(resources);
  mkdirSync(cache);
  if (options.feed !== undefined)
    writeFileSync(
      path.join(resources, 'app-update.yml'),
      `provider: generic\nurl: ${options.feed}\nupdaterCacheDirName: cooper-updater\n`,
    );
  if (options.type !== undefined) writeFileSync(path.join(resources, 'package-type'), options.type);
  const appImage = path.join(dir, 'Cooper.AppImage');
  writeFileSync(appImage, 'the old program');
  return { resources, appImage, cache };
}

type Report = Readonly<Record<string, { kind: string; found: object; after: object; appImage: string }>> & {
  readonly record: readonly Recorded[];
};

describe.skipIf(!onLinux)('updating an AppImage with a feed', () => {
  let feed: Feed;
  let report: Report;
  let dir: string;
  let place: ReturnType<typeof packaged>;
  beforeAll(async () => {
    feed = await startFeed();
    dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-updates-'));
    place = packaged(dir, { feed: feed.address });
    const ran = await runDesktop({
      dataDir: path.join(dir, 'data'),
      resourcesPath: place.resources,
      version: '1.0.0',
      play: 'play-updates.ts',
      env: {
        APPIMAGE: place.appImage,
        XDG_CACHE_HOME: place.cache,
        COOPER_TEST_FEED: feed.address,
        APPIMAGE_SILENT_INSTALL: '',
      },
    });
    if (ran.report === null) throw new Error(ran.output);
    report = ran.report as unknown as Report;
  }, 90_000);
  afterAll(async () => {
    await feed.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('checks the channel of the settings', () => {
    const lists = feed.asked.filter((pathname) => pathname.endsWith('.yml'));
    expect(lists.slice(0, 2)).toEqual(['/latest-linux.yml', '/beta-linux.yml']);
    expect(new Set(lists.slice(2))).toEqual(new Set(['/latest-linux.yml']));
    expect(report['beta']).toMatchObject({ kind: 'idle' });
  });

  test('sends no request on its own at the start', () => {
    expect(report['first']).toEqual({ kind: 'idle', checkedAt: null });
  });

  test('ignores an older version and reports a missing feed', () => {
    expect(report['older']).toMatchObject({ kind: 'idle' });
    expect(report['gone']).toMatchObject({ kind: 'failed', step: 'check', error: { reason: 'update-feed' } });
  });

  test('shows the notes of a new version as text, with its size', () => {
    expect(report['good']?.found).toEqual({
      kind: 'available',
      version: '1.1.0',
      notes: 'New\nalert(1)Better',
      sizeBytes: newFile.length,
    });
  });

  test.each([
    ['tampered', 'update-tampered'],
    ['cut', 'update-cut'],
    ['unhashed', 'update-cut'],
  ])('changes nothing if the file is %s', (mode, reason) => {
    const { after, appImage } = report[mode] ?? {};
    expect(after).toMatchObject({ kind: 'failed', step: 'download', error: { reason } });
    expect(appImage).toBe('the old program');
  });

  test('keeps a complete file and installs nothing before the user agrees', () => {
    expect(report['good']).toMatchObject({
      after: { kind: 'ready', version: '1.1.0' },
      appImage: 'the old program',
    });
  });

  test('stays ready if the user keeps the program open because of unsaved text', () => {
    expect(report['kept']).toMatchObject({
      status: { kind: 'ready' },
      isOpen: true,
      appImage: 'the old program',
    });
  });

  test('ends the core, replaces the file and restarts the program', () => {
    expect(report['installed']).toBe(newFile);
    expect(report['exitStatus']).toBe(0);
  });

  test('leaves nothing of failed downloads in the cache', () => {
    const left = existsSync(place.cache)
      ? readdirSync(place.cache, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      : [];
    for (const file of left) {
      const bytes = readFileSync(path.join(file.parentPath, file.name), 'utf8');
      expect(bytes).not.toContain('stolen!');
    }
  });
});

describe('an installation without own updates', () => {
  test.each([
    ['a deb', { feed: 'http://127.0.0.1:9/', type: 'deb' }, 'package-manager'],
    ['an rpm', { feed: 'http://127.0.0.1:9/', type: 'rpm' }, 'package-manager'],
  ])('as %s is left to the package manager', async (_name, options, reason) => {
    const place = packaged(tempDir(), options);
    const ran = await runDesktop({
      dataDir: tempDir(),
      resourcesPath: place.resources,
      play: 'play-updates.ts',
      env: { APPIMAGE: '', XDG_CACHE_HOME: place.cache },
    });
    expect(ran.report).toMatchObject({ first: { kind: 'off', reason } });
  });
});
