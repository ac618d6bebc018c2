import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  claimDataDir,
  askControl,
  serveControl,
  type ControlResponse,
} from '../../../electron/host/control.ts';
import { tempDir } from '../../support/temp-dir.ts';

const anAddress: ControlResponse = { kind: 'address', address: 'http://127.0.0.1:1/#code=x' };

test('a later start gets the response of the first', async () => {
  const dir = tempDir();
  await serve(dir);
  expect(await askControl(dir)).toEqual(anAddress);
  expect(await askControl(dir)).toEqual(anAddress);
});

test('without a running program there is no response', async () => {
  expect(await askControl(tempDir())).toBeNull();
});

test('the control file of a crashed program yields no response and is replaced', async () => {
  const dir = tempDir();
  writeFileSync(
    path.join(dir, 'control.json'),
    JSON.stringify({ socket: path.join(dir, 'control.sock'), key: 'k' }),
  );
  writeFileSync(path.join(dir, 'control.sock'), '');
  expect(await askControl(dir)).toBeNull();
  await serve(dir);
  expect(await askControl(dir)).toEqual(anAddress);
});

test('a truncated control file yields no response', async () => {
  const dir = tempDir();
  writeFileSync(path.join(dir, 'control.json'), '{"socket": "/');
  expect(await askControl(dir)).toBeNull();
});

test('the control socket works in a data folder with a long path', async () => {
  const dir = path.join(tempDir(), 'x'.repeat(120));
  mkdirSync(dir);
  await serve(dir);
  expect(await askControl(dir)).toEqual(anAddress);
});

test('the control socket and its key are readable only by their owner', async () => {
  const dir = tempDir();
  await serve(dir);
  expect(statSync(path.join(dir, 'control.json')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dir, 'control.sock')).mode & 0o777).toBe(0o600);
});

test.runIf(process.platform !== 'win32').each([0, 0o022])(
  'the control socket is private under umask %o, also outside a data folder with too long a path',
  async (mask) => {
    const before = process.umask(mask);
    onTestFinished(() => void process.umask(before));
    const long = path.join(tempDir(), 'x'.repeat(120));
    mkdirSync(long);
    for (const dir of [tempDir(), long]) {
      await serve(dir);
      const note = JSON.parse(readFileSync(path.join(dir, 'control.json'), 'utf8')) as { socket: string };
      expect(statSync(note.socket).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(note.socket)).mode & 0o077).toBe(0);
    }
  },
);

test.each([
  ['a wrong key', '{"key":"guess","ask":"show"}\n'],
  ['something else', 'GET / HTTP/1.1\r\n\r\n'],
  ['too much', 'x'.repeat(40_000)],
])('the control socket does not respond to %s', async (_name, sent) => {
  const dir = tempDir();
  await serve(dir);
  const note = JSON.parse(readFileSync(path.join(dir, 'control.json'), 'utf8')) as { socket: string };
  expect(await say(note.socket, sent)).toBe('');
});

test('the first start claims the data folder and answers the second', async () => {
  const dir = tempDir();
  const first = await claimDataDir(dir);
  expect(first.kind).toBe('first');
  onTestFinished(() => {
    if (first.kind === 'first') first.lock.release();
  });
  // The second process starts before the first one listens.
  const second = claimDataDir(dir);
  await serve(dir);
  expect(await second).toEqual({ kind: 'second', answer: anAddress });
});

async function serve(dir: string): Promise<void> {
  const server = await serveControl(dir, () => anAddress);
  onTestFinished(() => server.close());
}

async function say(socketPath: string, sent: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = net.createConnection(socketPath, () => socket.write(sent));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      resolve(received);
    });
  });
}

test('a folder in place of the control file yields no response and is renamed by the next lock holder', async () => {
  const dir = tempDir();
  for (const name of ['control.json', 'control.json.new'])
    mkdirSync(path.join(dir, name, 'inside'), { recursive: true });
  expect(await askControl(dir)).toBeNull();
  await serve(dir);
  expect(await askControl(dir)).toEqual(anAddress);
});
