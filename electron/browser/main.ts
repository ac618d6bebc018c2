import { createInterface } from 'node:readline';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveBytes } from '../host/bytes.ts';
import type { ControlAnswer } from '../host/control.ts';
import { serveControl } from '../host/control.ts';
import { startProgram } from '../host/program.ts';
import { claimDataDir } from '../host/single-instance.ts';
import { text } from '../host/text.ts';
import { loadWindowFiles } from '../host/window-files.ts';
import { fileSecrets } from '../core/profiles/file-secrets.ts';
import { serveWebSocket } from '../core/rpc/websocket.ts';
import { codeParameter } from '../../shared/session.ts';
import { open, openCommand, thisDesk } from './open-window.ts';
import { startBrowserServer } from './server.ts';
import { createSessionStore } from './session-store.ts';
import { browserShell, noDialogs } from './shell.ts';

/** For the start command, so that it need not load the sources beside what was built. */
export { askControl } from '../host/control.ts';

export interface BrowserHostOptions {
  /** Prepared: it exists and can be written. */
  readonly dataDir: string;
  readonly port: number;
  readonly open: boolean;
  /** An `s3://` address that the window offers to open. */
  readonly link?: string | null;
  readonly print: (line: string) => void;
}

export interface BrowserHost {
  close(): Promise<void>;
}

/** A code the program itself hands to a browser is used within moments; it stands in that browser's arguments. */
const openedCodeLifetimeMs = 60_000;

/**
 * Starts the browser host and prints where it is ready; null when another instance on this data folder was asked to
 * show itself instead.
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost | null> {
  const claim = await claimDataDir(options.dataDir, options.link);
  if (claim.kind === 'second') {
    showSecond(claim.answer, options);
    return null;
  }

  const closers: (() => Promise<void> | void)[] = [() => claim.lock.release()];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };

  try {
    const sessions = createSessionStore(() => Date.now());
    const program = await startProgram({
      dataDir: options.dataDir,
      host: 'browser',
      secrets: fileSecrets(options.dataDir),
      dialogs: noDialogs,
      shell: browserShell,
    });
    closers.push(() => program.close());

    const server = await startBrowserServer({
      port: options.port,
      files: loadWindowFiles(fileURLToPath(new URL('../window', import.meta.url))),
      sessions,
      nowMs: () => Date.now(),
      serveRpc: (socket) => {
        serveWebSocket(program.core.router, socket);
      },
      serveBytes: (ticket, request, response) => serveBytes(program.core.bytes, ticket, request, response),
      onError: (thrown) => {
        program.logger.error('A request of the window failed.', { err: thrown });
      },
    });
    closers.push(() => server.close());
    if (typeof options.link === 'string') program.core.openLink(options.link);

    const address = (lifetimeMs: number | null): string =>
      `http://127.0.0.1:${String(server.port)}/#${codeParameter}=${sessions.issueCode(lifetimeMs)}`;

    const control = await serveControl(options.dataDir, (link) => {
      if (link !== null) program.core.openLink(link);
      return { kind: 'address', address: address(null) };
    });
    closers.push(() => control.close());

    closers.push(offerAddresses(() => address(null), options.print));
    if (options.open) closers.push(openWindow(address(openedCodeLifetimeMs), options.dataDir));
    options.print(text('ready', { address: address(null) }));
    return { close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** What a second start on the same data folder says and shows. */
export function showSecond(
  answer: ControlAnswer,
  options: Pick<BrowserHostOptions, 'print' | 'open' | 'dataDir'>,
): void {
  if (answer.kind === 'focused') {
    options.print(text('alreadyOpen'));
    return;
  }
  options.print(text('alreadyRunning'));
  options.print(text('ready', { address: answer.address }));
}

function openWindow(address: string, dataDir: string): () => void {
  const command = openCommand(address, path.join(dataDir, 'browser-profile'), thisDesk());
  const child = command === null ? null : open(command);
  return () => {
    child?.kill();
  };
}

/** At a terminal, Enter prints another address: each opens one more tab. */
function offerAddresses(address: () => string, print: (line: string) => void): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  print(text('enterForAddress'));
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => {
    print(text('newAddress', { address: address() }));
  });
  return () => {
    lines.close();
  };
}
