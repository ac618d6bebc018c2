import { app, nativeImage, type BrowserWindow, type NativeImage, powerSaveBlocker } from 'electron';
import type { Core } from '../../core/core.ts';
import { text } from '../../host/text.ts';
import { overlayBitmap, dockOf, type Dock } from './appearance.ts';
import type { JobCounts, JobState } from '../../../shared/models/jobs.ts';

/** Updates the icon as jobs progress, until the signal aborts. */
export async function showOnDock(
  core: Pick<Core, 'jobs'>,
  windows: () => readonly BrowserWindow[],
  signal: AbortSignal,
): Promise<void> {
  let shown = '';
  for await (const { counts } of core.jobs.watch(signal)) {
    const dock = dockOf(counts);
    // Updates in whole percent, because the system redraws the icon on each update.
    const next = JSON.stringify([Math.round(dock.progress * 100), dock.mode, dock.badge, windows().length]);
    if (next === shown) continue;
    shown = next;
    for (const window of windows()) {
      window.setProgressBar(dock.progress, { mode: dock.mode });
      // Windows has no numeric badge. Screen readers read the description of the overlay, which contains the number.
      if (process.platform === 'win32')
        window.setOverlayIcon(overlayOf(dock), text('overlayTransfers', { count: dock.badge }));
    }
    app.setBadgeCount(dock.badge);
  }
}

/** Returns the overlay for the taskbar button; null removes it. */
function overlayOf({ badge, mode }: Dock): NativeImage | null {
  if (badge === 0) return null;
  const { bitmap, side } = overlayBitmap(mode);
  return nativeImage.createFromBitmap(bitmap, { width: side, height: side });
}

/** Job states that may last long without any work: waiting for a slot, a retry or the user. */
const idle: ReadonlySet<string> = new Set<JobState>([
  'waiting',
  'retry-scheduled',
  'paused',
  'needs-attention',
  'done',
  'cancelled',
]);

/** Returns true while a job reads, sends or receives. */
function isTransferring({ byState }: Pick<JobCounts, 'byState'>): boolean {
  return Object.entries(byState).some(([state, count]) => count > 0 && !idle.has(state));
}

/** Keeps an idle computer awake while jobs run, until the signal aborts. The display may go off. */
export async function keepAwake(core: Pick<Core, 'jobs'>, signal: AbortSignal): Promise<void> {
  let blocker: number | null = null;
  const stop = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  };
  try {
    for await (const { counts } of core.jobs.watch(signal)) {
      if (!isTransferring(counts)) stop();
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    }
  } finally {
    stop();
  }
}
