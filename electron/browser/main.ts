import { createInterface } from 'node:readline';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveBytes } from '../host/bytes-http.ts';
import type { ControlAnswer } from '../host/control.ts';
import { serveControl } from '../host/control.ts';
import { startProgram } from '../host/program.ts';
import { claimDataDir } from '../host/single-instance.ts';
import { text } from '../host/text.ts';
import { loadWindowFiles } from '../host/window-files.ts';
import { fileSecrets } from '../core/profiles/file-secrets.ts';
import { serveWebSocket } from '../core/rpc/websocket.ts';
import { makePrivateFolder } from '../core/store/private-file.ts';
import { addressesOf, freshName, plainOf, type Addresses } from './names.ts';
import { findBrowser, folderFor, open, openCommand, thisSystem } from './open-window.ts';
import { writeRedirectFile } from './redirect-file.ts';
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
    const name = freshName();
    const program = await startProgram({
      dataDir: options.dataDir,
      host: 'browser',
      secrets: fileSecrets(options.dataDir),
      dialogs: noDialogs,
      shell: browserShell,
      setAside: claim.lock.setAsideAs === null ? [] : [claim.lock.setAsideAs],
    });
    closers.push(() => program.close());

    const server = await startBrowserServer({
      port: options.port,
      files: loadWindowFiles(fileURLToPath(new URL('../window', import.meta.url))),
      sessions,
      nowMs: () => Date.now(),
      name,
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

    const fresh = (): Addresses => addressesOf(name, server.port, sessions.issueCode());
    const control = await serveControl(options.dataDir, (link) => {
      if (link !== null) program.core.openLink(link);
      return { kind: 'address', address: fresh().named };
    });
    closers.push(() => control.close());

    closers.push(offerAddresses(process.stdin, fresh, options.print));
    if (options.open) closers.push(openWindow(fresh(), options.dataDir));
    printAddress('ready', fresh().named, options.print);
    return { close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** The message and output of a second start on the same data folder. */
export function showSecond(
  answer: ControlAnswer,
  options: Pick<BrowserHostOptions, 'print' | 'open' | 'dataDir'>,
): void {
  if (answer.kind === 'focused') {
    options.print(text('alreadyOpen'));
    return;
  }
  options.print(text('alreadyRunning'));
  printAddress('ready', answer.address, options.print);
}

/** The last line is the address itself, so that others than people find it too. */
function printAddress(as: 'ready' | 'newAddress', address: string, print: (line: string) => void): void {
  const plain = plainOf(address);
  if (plain !== null) print(text('plainAddress', { address: plain }));
  print(text(as, { address }));
}

function openWindow(addresses: Addresses, dataDir: string): () => void {
  const system = thisSystem();
  const browser = findBrowser(system);
  if (browser === null) return () => undefined;
  const dir = folderFor(browser, dataDir, os.homedir());
  // Elsewhere a command line is its user's own (Windows).
  const redirect = process.platform === 'win32' ? null : writeRedirectFile(dir, addresses);
  const profile = path.join(dir, 'browser-profile');
  if (browser.ownWindow) makePrivateFolder(profile);
  const command = openCommand(redirect?.address ?? addresses.plain, profile, system);
  const child = command === null ? null : open(command);
  return () => {
    child?.kill();
    redirect?.remove();
  };
}

export interface Keys extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

/** At a terminal, Enter prints another address: each opens one more tab. */
export function offerAddresses(
  input: Keys,
  fresh: () => Addresses,
  print: (line: string) => void,
): () => void {
  if (input.isTTY !== true) return () => undefined;
  print(text('enterForAddress'));
  const lines = createInterface({ input });
  lines.on('line', () => {
    printAddress('newAddress', fresh().named, print);
  });
  return () => {
    lines.close();
  };
}
