import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removedAtExit } from '../../support/at-exit.ts';
import { runDesktop } from './stand-in.ts';

const installer = 'MZ no program'.padEnd(50_000, '.');
const sha512 = createHash('sha512').update(installer).digest('base64');
const listing =
  `version: 1.1.0\nfiles:\n  - url: Cooper-Setup-1.1.0.exe\n    sha512: ${sha512}\n    size: ${String(installer.length)}\n` +
  `path: Cooper-Setup-1.1.0.exe\nsha512: ${sha512}\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`;

interface Attempt {
  readonly ready: object;
  readonly after: object;
  readonly order: readonly string[];
}

/** Runs electron-updater's Windows updater on the stand-in for Electron. On this system, no Windows installer can start. */
describe.skipIf(process.platform === 'win32')('updating an installation of NSIS', () => {
  const server = http.createServer((request, response) => {
    if (request.url?.startsWith('/latest.yml') === true) response.end(listing);
    else if (request.url === '/Cooper-Setup-1.1.0.exe')
      response.writeHead(200, { 'content-length': installer.length }).end(installer);
    else response.writeHead(404).end();
  });
  let report: Readonly<Record<'blocked' | 'elevated', Attempt>>;
  let started: readonly string[];
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const dir = removedAtExit('cooper-nsis-');
    const resources = path.join(dir, 'resources');
    const cache = path.join(dir, 'cache');
    const log = path.join(dir, 'started');
    mkdirSync(resources);
    mkdirSync(cache);
    const { port } = server.address() as AddressInfo;
    writeFileSync(
      path.join(resources, 'app-update.yml'),
      `provider: generic\nurl: http://127.0.0.1:${String(port)}/\nupdaterCacheDirName: cooper-updater\n`,
    );
    const ran = await runDesktop({
      dataDir: path.join(dir, 'data'),
      resourcesPath: resources,
      version: '1.0.0',
      play: 'play-nsis.ts',
      env: { LOCALAPPDATA: cache, COOPER_TEST_STARTED: log },
    });
    if (ran.report === null) throw new Error(ran.output);
    report = ran.report as unknown as typeof report;
    started = readFileSync(log, 'utf8').trimEnd().split('\n');
  }, 90_000);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('opens the windows again and reports it if the installer could not start', () => {
    expect(report.blocked).toMatchObject({
      ready: { kind: 'ready', version: '1.1.0' },
      after: { kind: 'failed', step: 'install' },
      order: ['leave', 'come back'],
    });
  });

  test('starts the installer at a second attempt, with more rights, and quits only then', () => {
    expect(report.elevated).toMatchObject({ after: { kind: 'installing' }, order: ['leave', 'quit'] });
    const [file = '', ...args] = started;
    expect(readFileSync(file, 'utf8')).toBe(installer);
    expect(args).toEqual(['--updated', '/S', '--force-run']);
  });
});
