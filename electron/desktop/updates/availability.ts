import type { UpdatesOffReason } from '../../../shared/models/updates.ts';

export interface Installation {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The package type that electron-builder records for deb, rpm and pacman; null elsewhere. */
  readonly packageType: string | null;
  /** Whether the build was given an address to ask. */
  readonly hasFeed: boolean;
}

/** Why this copy does not update itself; null: it does. AppImage, NSIS and dmg do: their files are the person's own. */
export function updatesOff(installation: Installation): UpdatesOffReason | null {
  const { platform, isPackaged, env, packageType, hasFeed } = installation;
  if (!isPackaged) return 'development';
  if (platform === 'linux') {
    if (packageType !== null) return 'package-manager';
    if (!env['APPIMAGE']) return env['SNAP'] || env['FLATPAK_ID'] ? 'package-manager' : 'unpacked';
  }
  if (platform === 'win32' && env['PORTABLE_EXECUTABLE_FILE']) return 'portable';
  return hasFeed ? null : 'no-feed';
}
