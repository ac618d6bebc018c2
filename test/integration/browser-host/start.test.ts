import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codeOfFragment } from '../../../shared/session.ts';
import {
  runToEnd,
  startCooper,
  type RunningCooper,
  type StartOptions,
} from '../../support/window/start-cooper.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { rawRequest } from './raw-http.ts';

async function start(options: StartOptions = {}): Promise<RunningCooper> {
  const cooper = await startCooper({ sampleLogs: 10, dataDir: tempDir(), ...options });
  onTestFinished(async () => {
    await cooper.end('SIGKILL');
  });
  return cooper;
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

async function exchange(address: string): Promise<number> {
  const { host, origin, hash } = new URL(address);
  const body = JSON.stringify({ code: codeOfFragment(hash) });
  const headers = { host, origin, 'content-type': 'application/json' };
  return (await rawRequest(portOf(address), '/session', headers, { method: 'POST', body })).status;
}

describe('a start with invalid flags ends with one message and status 2:', () => {
  test.each([
    ['an unknown flag', ['--colour'], '--colour'],
    ['an invalid port', ['--browser', '--port', 'eighty'], 'eighty'],
    ['a file as the data folder', ['--browser', '--no-open', '--data-dir', '/etc/hostname'], '/etc/hostname'],
    [
      'a data folder that cannot be created',
      ['--browser', '--no-open', '--data-dir', '/proc/cooper'],
      '/proc/cooper',
    ],
    ['Electron without a display', ['--desktop', '--data-dir', 'DIR'], 'display'],
  ])('%s', async (_name, flags, named) => {
    const dir = tempDir();
    const { status, output } = await runToEnd(
      flags.map((flag) => (flag === 'DIR' ? dir : flag)),
      { DISPLAY: '', WAYLAND_DISPLAY: '' },
    );
    expect(status).toBe(2);
    expect(output).toContain(named);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  test('a port in use', async () => {
    const occupant = net.createServer();
    await new Promise<void>((resolve) => {
      occupant.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      occupant.close();
    });
    const port = String((occupant.address() as net.AddressInfo).port);
    const dir = tempDir();
    const { status, output } = await runToEnd(['--browser', '--no-open', '--port', port, '--data-dir', dir]);
    expect(status).toBe(2);
    expect(output).toContain(`Another program uses port ${port}`);
    // The failed start left no lock behind, so the next start succeeds.
    await start({ dataDir: dir });
  });
});

test('--help lists every flag and ends with status 0', async () => {
  const { status, output } = await runToEnd(['--help']);
  expect(status).toBe(0);
  for (const flag of ['--desktop', '--browser', '--port', '--no-open', '--data-dir', '--help']) {
    expect(output).toContain(flag);
  }
});

test('the last line of output has the address with a valid code', async () => {
  const cooper = await start();
  expect(cooper.output().trim().split('\n').at(-1)).toBe(`Cooper is ready at ${cooper.address}`);
  expect(await exchange(cooper.address)).toBe(200);
  expect(await exchange(cooper.address)).toBe(403);
});

test('a given port is used', async () => {
  const free = await freePort();
  const cooper = await start({ flags: ['--port', String(free)] });
  expect(portOf(cooper.address)).toBe(free);
});

test('without a display or a flag the browser host starts and says why once', async () => {
  const cooper = await start({ flags: [], env: { DISPLAY: '', WAYLAND_DISPLAY: '' } });
  expect(new URL(cooper.address).hostname).toMatch(/^c[0-9a-f]{20}\.localhost$/);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the program with status 0 and nothing listening',
  async (signal) => {
    const cooper = await start();
    const { dataDir } = cooper;
    expect(await cooper.end(signal)).toBe(0);
    await expect(rawRequest(portOf(cooper.address), '/', {})).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(path.join(dataDir, 'control.json'))).toBe(false);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('-wal'))).toEqual([]);
  },
);

test('a second start prints a fresh address of the first and ends with status 0', async () => {
  const cooper = await start();
  const second = await runToEnd(['--browser', '--no-open', '--data-dir', cooper.dataDir]);
  expect(second.status).toBe(0);
  const address = /^Cooper is ready at (\S+)$/m.exec(second.output)?.[1] ?? '';
  expect(portOf(address)).toBe(portOf(cooper.address));
  expect(address).not.toBe(cooper.address);
  expect(await exchange(address)).toBe(200);
  expect(await exchange(cooper.address)).toBe(200);
});

test('after SIGKILL the next start takes over, and old tokens are invalid', async () => {
  const first = await start();
  await first.end('SIGKILL');
  const second = await start({ dataDir: first.dataDir });
  expect(await exchange(second.address.replace(/#.*/, new URL(first.address).hash))).toBe(403);
  expect(await exchange(second.address)).toBe(200);
});

test('concurrent starts end as one program with an address for each', async () => {
  const dataDir = tempDir();
  const first = await start({ dataDir });
  const others = await Promise.all(
    Array.from({ length: 4 }, () => runToEnd(['--browser', '--no-open', '--data-dir', dataDir])),
  );
  const addresses = others.map(({ output }) => /^Cooper is ready at (\S+)$/m.exec(output)?.[1] ?? 'none');
  expect(new Set(addresses.map((address) => portOf(address)))).toEqual(new Set([portOf(first.address)]));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('stored files are readable only by their owner, and the log holds no code or key', async () => {
  const cooper = await start();
  await exchange(cooper.address);
  const file = (name: string): string => path.join(cooper.dataDir, name);
  await expect.poll(() => existsSync(file('sample-buckets/index.sqlite')), { timeout: 30_000 }).toBe(true);
  expect(statSync(file('keys.json')).mode & 0o777).toBe(0o600);
  const log = readFileSync(file('cooper.log'), 'utf8');
  const { secretAccessKey } = JSON.parse(readFileSync(file('keys.json'), 'utf8')) as {
    secretAccessKey: string;
  };
  expect(log).not.toContain(secretAccessKey);
  // Windows has no such modes; it denies other accounts access to the whole profile.
  const open = readdirSync(cooper.dataDir, { withFileTypes: true, recursive: true }).filter(
    // An SQLite journal may have been removed since the listing.
    ({ parentPath, name }) =>
      ((statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  expect(process.platform === 'win32' ? [] : open.map(({ name }) => name)).toEqual([]);
  expect(log).not.toContain(new URL(cooper.address).hash.slice('#code='.length));
});

test('an error that prevents opening the data is printed before "ready" and logged', async () => {
  const dataDir = tempDir();
  const database = new DatabaseSync(path.join(dataDir, 'cooper.db'));
  database.exec('PRAGMA user_version = 9999');
  database.close();
  const { status, output } = await runToEnd(['--browser', '--no-open', '--data-dir', dataDir]);
  expect(status).toBe(1);
  expect(output).toContain('newer version of Cooper');
  expect(output).not.toContain('ready');
  expect(readFileSync(path.join(dataDir, 'cooper.log'), 'utf8')).toContain('Cooper could not start.');
});

test.runIf(process.platform === 'linux')(
  'the sample service starts at once only in a new folder, otherwise on first use',
  async () => {
    const dataDir = tempDir();
    const samples = path.join(dataDir, 'sample-buckets');
    const first = await start({ dataDir });
    await expect.poll(() => hasOpened(first.pid, samples), { timeout: 30_000 }).toBe(true);
    expect(await first.end()).toBe(0);
    const second = await start({ dataDir });
    const window = await coreOfAddress(second.address);
    const { core } = window;
    expect((await core.connections.list()).length).toBeGreaterThan(0);
    expect(hasOpened(second.pid, samples)).toBe(false);
    expect((await core.connections.sampleService()).endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(hasOpened(second.pid, samples)).toBe(true);
    window.close();
  },
);

function hasOpened(pid: number, dir: string): boolean {
  const fds = `/proc/${String(pid)}/fd`;
  return readdirSync(fds).some((fd) => {
    try {
      return readlinkSync(path.join(fds, fd)).startsWith(dir);
    } catch {
      return false; // Closed since it was listed.
    }
  });
}

test('a note left by a crashed program delays no start', async () => {
  const dataDir = tempDir();
  writeFileSync(
    path.join(dataDir, 'control.json'),
    JSON.stringify({ socket: path.join(dataDir, 'gone'), key: 'k' }),
  );
  const cooper = await start({ dataDir });
  expect(cooper.readyAfterMs).toBeLessThan(10_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
