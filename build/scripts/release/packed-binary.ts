import path from 'node:path';

/** Returns electron-builder's flags for an unpacked folder for this system only. */
export function folderTarget(platform: NodeJS.Platform, arch: string): readonly string[] {
  const system = platform === 'darwin' ? '--mac' : platform === 'win32' ? '--win' : '--linux';
  return [system, 'dir', `--${arch}`];
}

/** Returns the path of the program in an unpacked folder. electron-builder omits `x64` from folder names. */
export function packedBinary(output: string, platform: NodeJS.Platform, arch: string): string {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  switch (platform) {
    case 'darwin':
      return path.join(output, `mac${suffix}`, 'Cooper.app', 'Contents', 'MacOS', 'Cooper');
    case 'win32':
      return path.join(output, `win${suffix}-unpacked`, 'Cooper.exe');
    default:
      return path.join(output, `linux${suffix}-unpacked`, 'cooper');
  }
}
