import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { CoreClient } from '../../../shared/contract/index.ts';
import * as standIn from './electron.ts';

/** Returns a client of the core, connected as a window's page connects. */
export function coreOfWindow(window: standIn.BrowserWindow): CoreClient {
  const { port1, port2 } = new MessageChannel();
  standIn.ipcMain.emit('cooper:connect', {
    sender: window.webContents,
    senderFrame: window.webContents.mainFrame,
    ports: [new standIn.MessagePortMain(port1)],
  });
  const port = port2 as unknown as MessagePort;
  const core: CoreClient = createORPCClient(new RPCLink({ port }));
  port2.start();
  return core;
}

/** Simulates that the page of a window has begun to listen to menu commands. */
export function listen(window: standIn.BrowserWindow): void {
  const { webContents } = window;
  standIn.ipcMain.emit('cooper:listening', { sender: webContents, senderFrame: webContents.mainFrame });
}

/** Starts the built main process and waits for its first window. Returns null if the process ended without a window. */
export async function startMain(
  dist: URL,
  beforeReady: () => void = () => undefined,
): Promise<standIn.BrowserWindow | null> {
  const opened = new Promise<void>((resolve) => {
    standIn.app.once('stand-in-window', () => {
      resolve();
    });
  });
  await import(new URL('main.js', dist).href);
  beforeReady();
  standIn.app.becomeReady();
  await Promise.race([opened, exited]);
  return standIn.BrowserWindow.all[0] ?? null;
}

export const exited = new Promise<number>((resolve) => {
  standIn.app.once('stand-in-exit', resolve);
});

/** Polls until the value satisfies `isSo`. Only the time limit of the test applies. */
export async function until<T>(look: () => Promise<T> | T, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (isSo(value)) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

export function finish(report: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`\nREPORT ${JSON.stringify({ ...report, record: standIn.record })}\n`, () =>
    process.exit(0),
  );
}
