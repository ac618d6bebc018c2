import { app, type BrowserWindow } from 'electron';
import type { Core } from '../../core/core.ts';
import { dockOf } from './dock-model.ts';

/** Updates the icon as jobs progress, until the signal aborts. */
export async function showOnDock(
  core: Pick<Core, 'jobs'>,
  windows: () => readonly BrowserWindow[],
  signal: AbortSignal,
): Promise<void> {
  let shown = '';
  for await (const { counts } of core.jobs.watch(signal)) {
    const dock = dockOf(counts);
    // Updates in whole percent, because the system redraws on each update.
    const next = JSON.stringify([Math.round(dock.progress * 100), dock.mode, dock.badge, windows().length]);
    if (next === shown) continue;
    shown = next;
    for (const window of windows()) window.setProgressBar(dock.progress, { mode: dock.mode });
    app.setBadgeCount(dock.badge);
  }
}
