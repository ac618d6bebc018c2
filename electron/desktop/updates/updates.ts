import type { Clock, Logger, Updates } from '../../core/ports.ts';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { UpdateChannel, UpdatesOffReason, UpdateStatus } from '../../../shared/models/updates.ts';
import type { AvailableUpdate, UpdateEngine } from './update-engine.ts';

export const checkEveryMs = 24 * 60 * 60 * 1000;
const progressEveryMs = 250;

export interface UpdatesDeps {
  readonly off: UpdatesOffReason | null;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly logger: Logger;
  readonly loadEngine: () => Promise<UpdateEngine>;
  readonly channel: () => UpdateChannel;
  /** The time of the last check, stored across restarts. Both functions may throw. */
  readonly lastCheck: { read(): number | null; write(atMs: number): void };
  readonly onChange: () => void;
  /** Asks about running jobs and unsaved text, then closes the windows but not the core. Returns false if the user cancels. */
  readonly leave: () => Promise<boolean>;
  /** Shuts the core down. */
  readonly shutDown: () => Promise<void>;
  /** Recovers if the installer could not start: opens a window, or restarts the program if the core is shut down. */
  readonly undoLeave: (isShutDown: boolean) => void;
}

export interface DesktopUpdates extends Updates {
  /** Checks the feed if the last check was at least a day ago. A failure is only logged. */
  checkIfDue(): Promise<void>;
}

/** Creates the updates of the program. The engine finds, downloads and installs them; each step needs the user's command. */
export function createUpdates(deps: UpdatesDeps): DesktopUpdates {
  const { clock, logger } = deps;
  /** Held in memory, so that an unusable file only makes the next start check again. */
  let lastCheckMs = deps.off === null ? readLastCheck(deps) : null;
  let status: UpdateStatus =
    deps.off === null ? { kind: 'idle', checkedAt: iso(lastCheckMs) } : { kind: 'off', reason: deps.off };
  let found: AvailableUpdate | null = null;
  let aborter: AbortController | null = null;
  let loaded: Promise<UpdateEngine> | null = null;
  const engine = async (): Promise<UpdateEngine> => {
    const loading = (loaded ??= deps.loadEngine());
    try {
      return await loading;
    } catch (thrown) {
      // The next call tries again.
      if (loaded === loading) loaded = null;
      throw thrown;
    }
  };
  const setStatus = (next: UpdateStatus): void => {
    status = next;
    deps.onChange();
  };
  const isBusy = (): boolean =>
    status.kind === 'checking' || status.kind === 'downloading' || status.kind === 'installing';

  const checkFeed = async (onFailure: (error: AppError) => UpdateStatus): Promise<void> => {
    if (isBusy() || status.kind === 'ready') return;
    setStatus({ kind: 'checking' });
    try {
      const updateEngine = await engine();
      found = await updateEngine.check(deps.channel());
    } catch (thrown) {
      logger.warn('Could not read the update feed.', { err: thrown });
      setStatus(onFailure(feedFailure()));
      return;
    }
    lastCheckMs = clock.nowMs();
    setStatus(
      found === null ? { kind: 'idle', checkedAt: iso(lastCheckMs) } : { kind: 'available', ...found },
    );
    try {
      deps.lastCheck.write(lastCheckMs);
    } catch (thrown) {
      logger.warn('Could not store the time of the update check.', { err: thrown });
    }
  };

  return {
    status: () => status,
    check: async () => {
      mustBeOn(deps.off);
      await checkFeed((error) => ({ kind: 'failed', step: 'check', version: null, error }));
    },
    checkIfDue: async () => {
      const last = lastCheckMs;
      const nowMs = clock.nowMs();
      // A clock that was set back would postpone the next check for years.
      const isDue = last === null || nowMs - last >= checkEveryMs || nowMs < last;
      if (deps.off !== null || status.kind !== 'idle' || !isDue) return;
      await checkFeed(() => ({ kind: 'idle', checkedAt: iso(last) }));
    },
    download: async () => {
      mustBeOn(deps.off);
      if (found === null || isBusy() || status.kind === 'ready') return;
      const { version, notes, sizeBytes } = found;
      const abort = new AbortController();
      aborter = abort;
      setStatus({ kind: 'downloading', version, notes, bytesDone: 0, bytesTotal: sizeBytes });
      let reportedMs = clock.monotonicMs();
      try {
        const updateEngine = await engine();
        await updateEngine.download(({ bytesDone, bytesTotal }) => {
          if (clock.monotonicMs() - reportedMs < progressEveryMs) return;
          reportedMs = clock.monotonicMs();
          setStatus({ kind: 'downloading', version, notes, bytesDone, bytesTotal });
        }, abort.signal);
        setStatus({ kind: 'ready', version, notes });
      } catch (thrown) {
        if (abort.signal.aborted) {
          setStatus({ kind: 'available', ...found });
          return;
        }
        logger.warn('Could not download the update.', { err: thrown });
        setStatus({ kind: 'failed', step: 'download', version, error: toAppError(thrown) });
      }
    },
    cancel: () => {
      aborter?.abort();
    },
    install: async () => {
      mustBeOn(deps.off);
      if (status.kind !== 'ready') return;
      const ready = status;
      setStatus({ ...ready, kind: 'installing' });
      let mustUndoLeave = false;
      let isShutDown = false;
      try {
        const updateEngine = await engine();
        updateEngine.checkInstall();
        // Set before `leave`, which may fail after it has closed windows.
        mustUndoLeave = true;
        if (!(await deps.leave())) {
          setStatus(ready);
          return;
        }
        if (updateEngine.needsCoreDown) {
          await deps.shutDown();
          isShutDown = true;
        }
        await updateEngine.install();
      } catch (thrown) {
        if (mustUndoLeave) deps.undoLeave(isShutDown);
        // An updater can start an installer only once, so another attempt needs a new one.
        loaded = null;
        logger.error('Could not install the update.', { err: thrown });
        setStatus({ kind: 'failed', step: 'install', version: ready.version, error: toAppError(thrown) });
        throw thrown;
      }
    },
  };
}

/** Returns the stored time of the last check. An unreadable time counts as none, because it must not keep Cooper from starting. */
function readLastCheck({ lastCheck, logger }: UpdatesDeps): number | null {
  try {
    return lastCheck.read();
  } catch (thrown) {
    logger.warn('Could not read the time of the last update check.', { err: thrown });
    return null;
  }
}

function mustBeOn(off: UpdatesOffReason | null): void {
  if (off !== null) throw failure('unsupported', 'This copy of Cooper does not update itself.');
}

/** Returns the error for an unreadable feed. The updater's message appears only in the log. */
function feedFailure(): AppError {
  const message = 'The list of new versions could not be read.';
  return failure('network', message, { reason: 'update-feed', retry: 'backoff' }).error;
}

function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

export interface Installation {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The package type that electron-builder records for deb, rpm and pacman; null for others. */
  readonly packageType: string | null;
  /** True for a build without a certificate, which `npm run dist` records. Squirrel.Mac refuses to update such a program. */
  readonly isUnsigned: boolean;
  /** True if the build has an update feed. */
  readonly hasFeed: boolean;
}

/** Returns why this installation cannot update itself; null if it can (AppImage, NSIS and signed Mac programs). */
export function updatesOff(installation: Installation): UpdatesOffReason | null {
  const { platform, isPackaged, env, packageType, isUnsigned, hasFeed } = installation;
  if (!isPackaged) return 'development';
  if (platform === 'linux') {
    if (packageType !== null) return 'package-manager';
    if (!env['APPIMAGE']) return env['SNAP'] || env['FLATPAK_ID'] ? 'package-manager' : 'unpacked';
  }
  if (platform === 'win32' && env['PORTABLE_EXECUTABLE_FILE']) return 'portable';
  if (platform === 'darwin' && isUnsigned) return 'unsigned';
  return hasFeed ? null : 'no-feed';
}
