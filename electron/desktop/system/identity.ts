/**
 * Identifies the program on Windows, which groups taskbar windows and notifications by it. Must equal `appId` in
 * build/electron-builder.yml, which the installer writes into shortcuts.
 */
const appUserModelId = 'dev.cooper.app';

/** Returns the AppUserModelID. An unpackaged program uses its executable's path, as Electron's docs advise. */
export function appUserModelIdOf(isPackaged: boolean, execPath: string): string {
  return isPackaged ? appUserModelId : execPath;
}
