/**
 * Names the program to Windows: it groups windows on the taskbar and owns notifications by this name. The installer gives the
 * same one to its shortcuts, so it is the `appId` of build/electron-builder.yml.
 */
const appUserModelId = 'dev.cooper.app';

/** Returns the AppUserModelID. An unpackaged program has no shortcut; Electron's docs name its executable instead. */
export function appUserModelIdOf(isPackaged: boolean, execPath: string): string {
  return isPackaged ? appUserModelId : execPath;
}
