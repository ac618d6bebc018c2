import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppUpdater, NsisUpdater } from 'electron-updater';
import type { Logger } from '../../core/ports.ts';
import { failure } from '../../../shared/errors.ts';
import type { UpdateChannel } from '../../../shared/models/updates.ts';

export interface AvailableUpdate {
  readonly version: string;
  readonly notes: string | null;
  readonly sizeBytes: number | null;
}

export interface Progress {
  readonly bytesDone: number;
  readonly bytesTotal: number | null;
}

/** Checks for, downloads and installs updates. A download is kept only if its SHA-512 matches the feed. */
export interface UpdateEngine {
  /** Returns the newer version; null if this is the newest. */
  check(channel: UpdateChannel): Promise<AvailableUpdate | null>;
  download(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void>;
  /**
   * True if the installer starts the new program before this one has ended, so the core must release its data folder first. On
   * other systems, the core shuts down last, while the program quits.
   */
  readonly needsCoreDown: boolean;
  /** Throws AppError('storage') if the installer would certainly fail. Changes nothing. */
  checkInstall(): void;
  /** Starts the installer, which later starts the program again, and quits. Throws if the installer could not start. */
  install(): Promise<void>;
}

/**
 * Configures an updater to act only on request, and to refuse web installers, which download the program without checking its
 * hash.
 */
export function configureUpdater(
  updater: Pick<
    AppUpdater,
    'autoDownload' | 'autoInstallOnAppQuit' | 'autoRunAppAfterInstall' | 'disableWebInstaller'
  >,
): void {
  updater.autoDownload = false;
  // On macOS, Squirrel then verifies the file during the download, so a rejection can still be shown.
  updater.autoInstallOnAppQuit = process.platform === 'darwin';
  updater.autoRunAppAfterInstall = true;
  updater.disableWebInstaller = true;
}

/** Loads electron-updater for this system at first use. */
export async function loadEngine(logger: Logger): Promise<UpdateEngine> {
  const [updater, { CancellationToken }] = await Promise.all([
    makeUpdater(process.platform),
    import('builder-util-runtime'),
  ]);
  configureUpdater(updater);
  updater.logger = {
    info: (message?: unknown) => logger.debug('Updater', { note: String(message) }),
    warn: (message?: unknown) => logger.warn('Updater', { note: String(message) }),
    error: (message?: unknown) => logger.warn('Updater', { note: String(message) }),
  };
  // The failing call also rejects with the error. Without this listener, the event would throw it too.
  let lastError: unknown = null;
  updater.on('error', (error) => {
    lastError = error;
  });

  return {
    check: async (channel) => {
      updater.channel = channel === 'beta' ? 'beta' : 'latest';
      updater.allowPrerelease = channel === 'beta';
      // Setting the channel enables downgrades, which the user did not request.
      updater.allowDowngrade = false;
      const result = await updater.checkForUpdates();
      if (result === null || !result.isUpdateAvailable) return null;
      const { version, releaseNotes, files } = result.updateInfo;
      const [first] = files;
      return { version, notes: notesText(releaseNotes), sizeBytes: first?.size ?? null };
    },
    download: async (onProgress, signal) => {
      const token = new CancellationToken();
      const cancel = (): void => token.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      const report = (progress: { readonly transferred: number; readonly total: number }): void => {
        onProgress({ bytesDone: progress.transferred, bytesTotal: progress.total });
      };
      updater.on('download-progress', report);
      try {
        const handover = process.platform === 'darwin' ? waitForSquirrel(signal) : null;
        await Promise.all([updater.downloadUpdate(token), handover]);
      } catch (thrown) {
        throw asFailure(thrown, signal);
      } finally {
        updater.off('download-progress', report);
        signal.removeEventListener('abort', cancel);
      }
    },
    needsCoreDown: process.platform === 'linux',
    checkInstall: () => {
      const appImage = process.env['APPIMAGE'];
      if (process.platform === 'linux' && appImage !== undefined) checkReplaceable(appImage);
    },
    install: async () => {
      lastError = null;
      if (process.platform !== 'win32') {
        updater.quitAndInstall(true, true);
        if (lastError !== null) throw lastError;
        return;
      }
      // `quitAndInstall` would quit even if no installer runs: electron-updater notices that the installer or elevate.exe could
      // not start only after the call has returned (NsisUpdater.doInstall).
      const isStarting = (updater as NsisUpdater).install(true, true);
      await nextTurn();
      if (lastError !== null) throw lastError;
      if (!isStarting) throw failure('internal', 'The installer was already started.');
      const { app } = await import('electron');
      app.quit();
    },
  };
}

/** Returns the updater for the three formats that can replace their files. deb, rpm and pacman use the package manager. */
async function makeUpdater(platform: NodeJS.Platform): Promise<AppUpdater> {
  switch (platform) {
    case 'darwin': {
      const { MacUpdater } = await import('electron-updater/out/MacUpdater.js');
      return new MacUpdater();
    }
    case 'win32': {
      const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
      return new NsisUpdater();
    }
    default: {
      const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
      return new AppImageUpdater();
    }
  }
}

/** Thrown if Squirrel.Mac rejects a completely downloaded file, for example because of its signature. */
class SquirrelRefusal extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * Resolves once Squirrel.Mac has verified and prepared the file. It may reject the file after electron-updater's download has
 * ended; only an event reports that.
 */
async function waitForSquirrel(signal: AbortSignal): Promise<void> {
  const { autoUpdater } = await import('electron');
  const settled = Promise.withResolvers<void>();
  const accept = (): void => settled.resolve();
  const refuse = (error: Error): void => settled.reject(new SquirrelRefusal(error));
  const stop = (): void => settled.reject(new Error('The download was stopped.'));
  autoUpdater.once('update-downloaded', accept).once('error', refuse);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await settled.promise;
  } finally {
    autoUpdater.off('update-downloaded', accept).off('error', refuse);
    signal.removeEventListener('abort', stop);
  }
}

/** Throws AppError('storage') if the AppImage cannot be replaced, because it or its folder is not writable. */
function checkReplaceable(appImage: string): void {
  try {
    accessSync(path.dirname(appImage), constants.W_OK);
  } catch (thrown) {
    throw failure('storage', `${appImage} cannot be replaced: its folder is not writable.`, {
      reason: 'update-not-writable',
      retry: 'after-fix',
      cause: thrown,
    });
  }
}

function asFailure(thrown: unknown, signal: AbortSignal): Error {
  if (signal.aborted)
    return failure('cancelled', 'The download of the update was cancelled.', { cause: thrown });
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ERR_CHECKSUM_MISMATCH' || code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return failure('protocol', 'The downloaded update does not match the update feed. It was removed.', {
      reason: 'update-tampered',
      cause: thrown,
    });
  if (thrown instanceof SquirrelRefusal)
    return failure('protocol', 'The system rejected the downloaded update.', {
      reason: 'update-refused',
      cause: thrown,
    });
  return failure('network', 'The update could not be downloaded completely.', {
    reason: 'update-cut',
    retry: 'backoff',
    cause: thrown,
  });
}

const maxNotesLength = 20_000;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Returns release notes as plain text; null if there are none. GitHub's feed contains HTML, others Markdown or a list. */
export function notesText(feedNotes: unknown): string | null {
  if (Array.isArray(feedNotes)) {
    const parts = feedNotes.map((entry: unknown) => notesText(noteOf(entry))).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join('\n\n').slice(0, maxNotesLength);
  }
  if (typeof feedNotes !== 'string') return null;
  const text = feedNotes
    .slice(0, maxNotesLength * 4)
    .replace(/<li[^>]*>/giu, '\n- ')
    .replace(/<(?:br|\/p|\/h\d|\/ul|\/ol|\/div|\/tr)[^>]*>/giu, '\n')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/gu, (entity) => entities[entity] ?? entity)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[ \t]+$/gmu, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
  return text === '' ? null : text.slice(0, maxNotesLength);
}

function noteOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'note' in entry ? entry.note : null;
}
