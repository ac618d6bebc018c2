import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, session, type BrowserWindow } from 'electron';
import { serveMessagePort } from '../core/rpc/message-port.ts';
import { answerBytes } from '../host/bytes.ts';
import { serveControl } from '../host/control.ts';
import { startProgram } from '../host/program.ts';
import { claimDataDir } from '../host/single-instance.ts';
import { text } from '../host/text.ts';
import { loadWindowFiles } from '../host/window-files.ts';
import { guardContents, guardSession } from './guards.ts';
import { serveConnections } from './ipc.ts';
import { setMenu } from './menu.ts';
import { nativeDialogs, nativeShell } from './native.ts';
import { appAddress } from './origin.ts';
import { serveScheme } from './scheme.ts';
import { desktopSecrets } from './secrets.ts';
import { openMainWindow } from './window.ts';

/** Runs the desktop program on a prepared data folder, once Electron is ready. */
export async function runDesktop(options: {
  readonly dataDir: string;
  readonly print: (line: string) => void;
}): Promise<void> {
  const { dataDir, print } = options;
  const claim = await claimDataDir(dataDir);
  if (claim.kind === 'second') {
    print(claim.answer.kind === 'focused' ? text('alreadyOpen') : text('alreadyRunning'));
    if (claim.answer.kind === 'address') print(text('ready', { address: claim.answer.address }));
    app.exit(0);
    return;
  }

  let window: BrowserWindow | null = null;
  const current = (): BrowserWindow | null => window;
  const program = await startProgram({
    dataDir,
    host: 'desktop',
    secrets: await desktopSecrets(dataDir, current),
    dialogs: nativeDialogs(current),
    shell: nativeShell(current),
  });
  const { logger } = program;

  guardContents(logger);
  guardSession();
  serveScheme(session.defaultSession, {
    files: loadWindowFiles(fileURLToPath(new URL('../window', import.meta.url))),
    serveBytes: (ticket, request) => answerBytes(program.core.bytes, ticket, request),
    onError: (thrown) => {
      logger.error('A request of the window failed.', { err: thrown });
    },
  });
  serveConnections({
    isOwnWindow: (id) => window !== null && !window.isDestroyed() && window.webContents.id === id,
    serve: (port) => {
      serveMessagePort(program.core.router, port);
    },
    droppedFile: (filePath) => program.core.droppedFile(filePath),
    logger,
  });
  setMenu({ mac: process.platform === 'darwin', packaged: app.isPackaged });

  const show = (): void => {
    if (window === null) {
      window = openMainWindow({
        preload: fileURLToPath(new URL('preload.cjs', import.meta.url)),
        dataDir,
        onError: (message, thrown) => {
          logger.error(message, { err: thrown });
        },
      });
      window.once('closed', () => {
        window = null;
      });
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };

  const control = await serveControl(dataDir, () => {
    show();
    return { kind: 'focused' };
  });
  endCleanly(async () => {
    await control.close();
    await program.close();
    claim.lock.release();
  });
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  show();
  print(text('ready', { address: appAddress }));
}

/** Quitting waits until the core has put everything down, once. */
function endCleanly(close: () => Promise<void>): void {
  let state: 'running' | 'closing' = 'running';
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void close()
      .then(() => 0)
      .catch(() => 1)
      .then((status) => {
        app.exit(status);
        return status;
      });
  });
  process.on('SIGINT', quit).on('SIGTERM', quit).on('SIGHUP', quit);
}

function quit(): void {
  app.quit();
}

/** Electron's own files go below the data folder, away from Cooper's. */
export function electronDir(dataDir: string): string {
  return path.join(dataDir, 'electron');
}
