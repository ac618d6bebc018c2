import { hasDisplay } from '../../../electron/browser/open-window.ts';
import type { HostMessage } from '../../../electron/host/text.ts';

/** What keeps Electron from running on this machine, whether its binary is there or not. */
export function desktopObstacle(): { readonly instead: HostMessage; readonly asked: HostMessage } | null {
  if (!hasDisplay({ platform: process.platform, env: process.env })) {
    return { instead: 'noDisplay', asked: 'noDisplayForDesktop' };
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { instead: 'electronAsRoot', asked: 'electronAsRootForDesktop' };
  }
  return null;
}
