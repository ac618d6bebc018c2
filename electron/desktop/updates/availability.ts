import type { UpdatesOffReason } from '../../../shared/models/updates.ts';

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
