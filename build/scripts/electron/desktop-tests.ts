import { hasDisplay } from '../../../electron/browser/open-window.ts';
import { findElectron } from './electron-binary.ts';
import { root } from '../run-command.ts';

/** Returns the path of Electron's binary for the desktop suite, or null if it is not installed. Downloads nothing. */
export function findElectronForTests(): string | null {
  return findElectron(root);
}

/** Returns why the suite for the real Electron cannot run here, or null if it can. */
export function desktopTestObstacle(): string | null {
  if (findElectronForTests() === null) return 'Electron’s binary is not here';
  if (!hasDisplay({ platform: process.platform, env: process.env })) return 'there is no display';
  return null;
}
