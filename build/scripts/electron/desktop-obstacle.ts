import { hasDisplay } from '../../../electron/browser/open-window.ts';
import type { HostMessage } from '../../../electron/host/text.ts';

/** Returns the reason Electron cannot run on this machine, independent of whether its binary is installed; null: none. */
export function desktopObstacle(): { readonly instead: HostMessage; readonly asked: HostMessage } | null {
  if (!hasDisplay({ platform: process.platform, env: process.env })) {
    return { instead: 'noDisplay', asked: 'noDisplayForDesktop' };
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { instead: 'electronAsRoot', asked: 'electronAsRootForDesktop' };
  }
  return null;
}
