import { app, nativeImage, type BrowserWindow, type NativeImage } from 'electron';
import type { Core } from '../../core/core.ts';
import { text } from '../../host/text.ts';
import { dockOf, type Dock } from './dock-model.ts';
import { overlayBitmap } from './overlay.ts';

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
