import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../build/scripts/run-command.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A script that starts a child of the same kind, which keeps its pipes open. Both report that they run by connecting. */
const stays = `
  const { connect } = require('node:net');
  const { spawn } = require('node:child_process');
  const [door, isSecond] = process.argv.slice(1);
  connect(door);
  if (!isSecond) spawn(process.execPath, ['-e', process.env.STAYS, door, 'second'], { stdio: 'inherit' });
  setInterval(() => undefined, 1000);
`;

test.skipIf(process.platform === 'win32')('a stopped command fails and leaves no child process', async () => {
  const door = path.join(tempDir(), 'door');
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  server.listen(door);
  await once(server, 'listening');
  const both = once(server, 'connection').then(async (first) => [first, await once(server, 'connection')]);
  const ending = new AbortController();
  const ran = runCommand(process.execPath, ['-e', stays, door], {
    keep: true,
    env: { STAYS: stays },
    ending: ending.signal,
  });
  const sockets = (await both).flat() as Socket[];
  const gone = sockets.map((socket) => once(socket.resume(), 'close'));
  ending.abort();
  expect(await ran).toEqual({ status: 1, text: '' });
  await Promise.all(gone);
});

test('a command that ends normally keeps its exit status', async () => {
  const ran = await runCommand(process.execPath, ['-e', 'console.log(1); process.exitCode = 3'], {
    keep: true,
    ending: new AbortController().signal,
  });
  expect(ran).toEqual({ status: 3, text: '1\n' });
});
