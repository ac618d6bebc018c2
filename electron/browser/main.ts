import { createInterface } from 'node:readline';
import os from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { openData } from '../host/open-data.ts';
import type { Program } from '../host/program.ts';
import type { Lock } from '../host/lock.ts';
import { claimDataDir, type ControlResponse, serveControl } from '../host/control.ts';
import { text } from '../host/text.ts';
import { loadWindowFiles, type WindowFiles } from '../host/window-files.ts';
import type { CheckedDatabase } from '../core/store/open-kept.ts';
import { makePrivateFolder } from '../core/store/private-file.ts';
import { findBrowser, folderFor, open, openCommand, thisSystem } from './open-window.ts';
import { writeRedirectFile, addressesOf, freshName, plainOf, type Addresses } from './addresses.ts';
import { startBrowserServer, type Served } from './server.ts';
import { createSessionStore } from './session-store.ts';

/** Exported so that the start command can load it from the built host. */
export { askControl } from '../host/control.ts';

export interface BrowserHostOptions {
  /** The data folder. It must exist and be writable. */
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
 * Starts the browser host and prints its address. Returns null if another instance runs on this data folder; that one shows
 * itself instead. Resolves once the page can be served and the database is open. The core loads while a browser loads the page.
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost | null> {
  const claim = await claimDataDir(options.dataDir, options.link);
  if (claim.kind === 'second') {
    showSecond(claim.answer, options.print);
    return null;
  }

  const closers: (() => Promise<void> | void)[] = [() => claim.lock.release()];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  const loading = Promise.withResolvers<Program>();
  // Prevents an unhandled rejection. The same failure is also thrown by this function.
  loading.promise.catch(() => undefined);

  try {
    const sessions = createSessionStore(() => Date.now());
    const name = freshName();
    const windowFiles = windowFilesOnce();
    const opened = await openData(options.dataDir);
    closers.push(async () => {
      const program = await loading.promise.catch(() => null);
      await program?.close();
      if (opened.database.isOpen) opened.database.close();
    });

    const server = await startBrowserServer({
      port: options.port,
      files: windowFiles,
      sessions,
      name,
      served: servedBy(loading.promise),
      onError: (thrown) => {
        whenLoaded(loading.promise, ({ logger }) => {
          logger.error('A request from the window failed.', { err: thrown });
        });
      },
    });
    closers.push(() => server.close());
    const openLink = (link: string): void => {
      whenLoaded(loading.promise, ({ core }) => {
        core.openLink(link);
      });
    };
    if (typeof options.link === 'string') openLink(options.link);

    const fresh = (): Addresses => addressesOf(name, server.port, sessions.issueCode());
    const control = await serveControl(options.dataDir, (link) => {
      if (link !== null) openLink(link);
      return { kind: 'address', address: fresh().named };
    });
    closers.push(() => control.close());

    if (isatty(0)) closers.push(offerAddresses(process.stdin, fresh, options.print));
    if (options.open) closers.push(openWindow(fresh(), options.dataDir));
    printAddress('ready', fresh().named, options.print);
    loading.resolve(await loadProgram(options.dataDir, opened, claim.lock));
    // Loads the window's files now, so that a later build cannot mix its files with this core.
    windowFiles();
    return { close };
  } catch (thrown) {
    loading.reject(thrown);
    await close();
    throw thrown;
  }
}

async function loadProgram(dataDir: string, opened: CheckedDatabase, lock: Lock): Promise<Program> {
  const [{ startProgram }, { fileSecrets }, { browserShell, noDialogs }] = await Promise.all([
    import('../host/program.ts'),
    import('../core/connections/file-secrets.ts'),
    import('./shell.ts'),
  ]);
  return await startProgram({
    dataDir,
    host: 'browser',
    secrets: fileSecrets(dataDir),
    dialogs: noDialogs,
    shell: browserShell,
    setAside: lock.setAsideAs === null ? [] : [lock.setAsideAs],
    opened,
  });
}

async function servedBy(loading: Promise<Program>): Promise<Served> {
  const { core } = await loading;
  const [{ serveWebSocket }, { serveBytes }] = await Promise.all([
    import('../core/rpc/websocket.ts'),
    import('../host/bytes-http.ts'),
  ]);
  return {
    serveRpc: (socket) => {
      serveWebSocket(core.router, socket);
    },
    serveBytes: (ticket, request, response) => serveBytes(core.bytes, ticket, request, response),
  };
}

/** Calls `use` once the program has loaded. Ignores a failed load, which the start reports. */
function whenLoaded(loading: Promise<Program>, use: (program: Program) => void): void {
  loading.then(use, () => undefined);
}

/** Returns a function that reads the files of the built window at its first call. */
function windowFilesOnce(): () => WindowFiles {
  let loaded: WindowFiles | null = null;
  return () => (loaded ??= loadWindowFiles(fileURLToPath(new URL('../window', import.meta.url))));
}

/** Prints the result of a second start on the same data folder. */
export function showSecond(reply: ControlResponse, print: (line: string) => void): void {
  if (reply.kind === 'focused') {
    print(text('alreadyOpen'));
    return;
  }
  print(text('alreadyRunning'));
  printAddress('ready', reply.address, print);
}

/** Prints the address alone on the last line, where other programs can find it. */
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
  // On Windows, other users cannot read a command line, so no redirect file is needed.
  const redirect = process.platform === 'win32' ? null : writeRedirectFile(dir, addresses);
  const profile = path.join(dir, 'browser-profile');
  if (browser.isAppWindow) makePrivateFolder(profile);
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

/** Prints a new address each time Enter is pressed at a terminal. Each address opens another tab. */
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
