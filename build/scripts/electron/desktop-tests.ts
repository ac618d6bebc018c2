import { hasDisplay } from '../../../electron/browser/open-window.ts';
import { findElectron } from './electron-binary.ts';
import { root } from '../run-command.ts';

/** Electron's binary for the suite; nothing is fetched for it. */
export function findElectronForTests(): string | null {
  return findElectron(root);
}

/** Why the suite that drives the real Electron cannot run here; null where it can. */
export function desktopTestObstacle(): string | null {
  if (findElectronForTests() === null) return 'Electron’s binary is not here';
  if (!hasDisplay({ platform: process.platform, env: process.env })) return 'there is no display';
  return null;
}
