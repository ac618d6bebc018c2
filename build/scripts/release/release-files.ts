/** Returns the file names of a release, as set by electron-builder.yml and `npm run pack`. */
export function releaseFiles(version: string): readonly string[] {
  const name = `cooper-${version}`;
  const linux = [
    'x86_64.AppImage',
    'arm64.AppImage',
    'amd64.deb',
    'arm64.deb',
    'x86_64.rpm',
    'aarch64.rpm',
    'x64.tar.gz',
    'arm64.tar.gz',
  ];
  const win = ['x64-setup.exe', 'arm64-setup.exe', 'x64-portable.exe', 'arm64-portable.exe'];
  const mac = ['universal.dmg', 'universal.zip'];
  return [
    ...linux.map((rest) => `${name}-linux-${rest}`),
    ...win.map((rest) => `${name}-win-${rest}`),
    ...mac.map((rest) => `${name}-mac-${rest}`),
    // Files for the updater, with names, sizes and SHA-512 of the packages above.
    'latest.yml',
    'latest-linux.yml',
    'latest-linux-arm64.yml',
    'latest-mac.yml',
    `${name}.tgz`,
    `${name}.cdx.json`,
    'SHA256SUMS',
  ];
}

/** Returns which files a release lacks or has in excess, or null if it is complete. */
export function releaseProblem(version: string, found: readonly string[]): string | null {
  const wanted = releaseFiles(version);
  const missing = wanted.filter((name) => !found.includes(name));
  const strange = found.filter((name) => !wanted.includes(name));
  if (missing.length > 0) return `These files are missing: ${missing.join(', ')}`;
  return strange.length > 0 ? `These files do not belong to it: ${strange.join(', ')}` : null;
}
