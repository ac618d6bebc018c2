import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { z } from 'zod';
import { nodeClock } from '../../host/node-ports.ts';
import { readIfExists } from '../../host/problem.ts';
import { updatesOff, createUpdates, type DesktopUpdates, type UpdatesDeps } from './updates.ts';
import { loadEngine } from './update-engine.ts';

/** The interval in ms of checks whether a day has passed. A daily timer would stop while the computer sleeps. */
const dueCheckMs = 60 * 60 * 1000;
/** Delays the first check, so that it does not slow down the start. In ms. */
const firstCheckMs = 60_000;

const manifestSchema = z.object({ isUnsigned: z.boolean().optional() });

/** Creates the updates of this installation. */
export function desktopUpdates(
  options: Omit<UpdatesDeps, 'off' | 'clock' | 'loadEngine' | 'lastCheck'> & { readonly dataDir: string },
): DesktopUpdates {
  const { resourcesPath } = process;
  const file = path.join(options.dataDir, 'last-update-check');
  return createUpdates({
    ...options,
    off: updatesOff({
      platform: process.platform,
      isPackaged: app.isPackaged,
      env: process.env,
      isUnsigned: isUnsigned(app.getAppPath()),
      packageType: app.isPackaged ? readIfExists(path.join(resourcesPath, 'package-type')) : null,
      hasFeed: app.isPackaged && existsSync(path.join(resourcesPath, 'app-update.yml')),
    }),
    clock: nodeClock,
    loadEngine: () => loadEngine(options.logger),
    lastCheck: {
      read: () => {
        const atMs = Date.parse(readIfExists(file) ?? '');
        return Number.isNaN(atMs) ? null : atMs;
      },
      write: (atMs) => writeFileSync(file, `${new Date(atMs).toISOString()}\n`, { mode: 0o600 }),
    },
  });
}

/** Checks the feed once a day while the user has it enabled. Returns a function that stops this. */
export function checkDaily(updates: DesktopUpdates, isEnabled: () => boolean): () => void {
  const checkIfEnabled = (): void => {
    if (isEnabled()) void updates.checkIfDue();
  };
  const first = setTimeout(checkIfEnabled, firstCheckMs);
  const every = setInterval(checkIfEnabled, dueCheckMs);
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
}

/** Returns true if `npm run dist` recorded in the packaged package.json that the program is unsigned. */
function isUnsigned(appPath: string): boolean {
  const manifest = readIfExists(path.join(appPath, 'package.json'));
  return manifest !== null && manifestSchema.parse(JSON.parse(manifest)).isUnsigned === true;
}
