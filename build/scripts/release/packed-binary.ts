import path from 'node:path';

/** What makes a folder of the program for this system and nothing else (electron-builder's flags). */
export function folderTarget(platform: NodeJS.Platform, arch: string): readonly string[] {
  const system = platform === 'darwin' ? '--mac' : platform === 'win32' ? '--win' : '--linux';
  return [system, 'dir', `--${arch}`];
}

/** Where electron-builder puts the program in such a folder: x64 is the architecture that its names leave out. */
export function packedBinary(output: string, platform: NodeJS.Platform, arch: string): string {
  const own = arch === 'x64' ? '' : `-${arch}`;
  switch (platform) {
    case 'darwin':
      return path.join(output, `mac${own}`, 'Cooper.app', 'Contents', 'MacOS', 'Cooper');
    case 'win32':
      return path.join(output, `win${own}-unpacked`, 'Cooper.exe');
    default:
      return path.join(output, `linux${own}-unpacked`, 'cooper');
  }
}
