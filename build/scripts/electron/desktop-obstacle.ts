import { hasDisplay } from '../../../electron/browser/open-window.ts';
import type { HostMessage } from '../../../electron/host/text.ts';

/** Returns why Electron could not run on this machine even if it were installed, or null if it could. */
export function desktopObstacle(): { readonly instead: HostMessage; readonly asked: HostMessage } | null {
  if (!hasDisplay({ platform: process.platform, env: process.env })) {
    return { instead: 'noDisplay', asked: 'noDisplayForDesktop' };
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { instead: 'electronAsRoot', asked: 'electronAsRootForDesktop' };
  }
  return null;
}
