import path from 'node:path';

/** The flags of electron-builder that name a platform. Targets may follow them. */
const platformFlags = new Set(['-l', '--linux', '-w', '--win', '--windows', '-m', '-o', '--mac', '--macos']);
const archFlags = new Set(['--x64', '--arm64', '--universal', '--ia32', '--armv7l']);

/** Returns the targets given after the platforms, such as `dir` and `tar.gz` in `--linux dir tar.gz`. */
function targetsOf(args: readonly string[]): readonly string[] {
  let isTargetList = false;
  return args.filter((arg) => {
    if (arg.startsWith('-')) {
      isTargetList = platformFlags.has(arg);
      return false;
    }
    return isTargetList;
  });
}

/**
 * Returns true unless only a folder is built. All other targets (deb, rpm, AppImage, dmg, NSIS, 7-Zip) need a tool from the
 * release page.
 */
export function needsTools(args: readonly string[]): boolean {
  if (args.includes('--dir')) return false;
  const targets = targetsOf(args);
  return targets.length === 0 || targets.some((target) => target !== 'dir');
}

/** Returns the arguments for the same build as a folder, for this architecture unless another is given. */
export function asFolderArgs(args: readonly string[], arch: string): readonly string[] {
  const targets = new Set(targetsOf(args));
  const remainingArgs = args.filter((arg) => !targets.has(arg) && arg !== '--dir');
  return [...remainingArgs, ...(remainingArgs.some((arg) => archFlags.has(arg)) ? [] : [`--${arch}`]), '--dir'];
}

/** Returns the folder of the unpacked Linux program, and the name of its archive. */
export function linuxArchive(options: {
  readonly args: readonly string[];
  readonly arch: string;
  readonly version: string;
}): { readonly folder: string; readonly file: string } {
  const arch = options.args.includes('--arm64')
    ? 'arm64'
    : options.args.includes('--x64')
      ? 'x64'
      : options.arch;
  const folder = arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`;
  return { folder, file: `cooper-${options.version}-linux-${arch}.tar.gz` };
}

/** Returns the flags that set the home page and maintainer of deb and rpm packages to the repository that builds them. */
export function originFlags(repository: string | undefined): readonly string[] {
  const homepage = repository === undefined ? 'https://cooper.invalid' : `https://github.com/${repository}`;
  const owner = repository?.split('/', 1)[0];
  const maintainer =
    owner === undefined ? 'Cooper <nobody@cooper.invalid>' : `${owner} <${owner}@users.noreply.github.com>`;
  return [`-c.extraMetadata.homepage=${homepage}`, `-c.linux.maintainer=${maintainer}`];
}

/**
 * Returns electron-builder's flags for the update feed: the releases of the repository that builds the packages. A build outside
 * such a repository has no feed, and its settings say so.
 */
export function updateFeedFlags(repository: string | undefined): readonly string[] {
  const [owner, repo, ...rest] = repository?.split('/') ?? [];
  if (!owner || !repo || rest.length > 0) return [];
  return ['-c.publish.provider=github', `-c.publish.owner=${owner}`, `-c.publish.repo=${repo}`];
}

/** Returns the message for release tools that cannot be downloaded. */
export function toolsMissingMessage(reason: string): string {
  return (
    `The release tools cannot be downloaded (${reason}), so only the unpacked folder ` +
    'and, on Linux, the tar.gz are made here.'
  );
}

export function electronMissingMessage(reason: string): string {
  return (
    `Electron cannot be downloaded (${reason}), so nothing can be packaged here; ` +
    'name a folder or zip with an Electron for this system in COOPER_ELECTRON_DIST.'
  );
}

/** Returns the flag that marks an unsigned macOS package, so that it offers no updates, which macOS would refuse. */
export function unsignedFlags(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const hasIdentity = env['CSC_LINK'] !== undefined || env['CSC_NAME'] !== undefined;
  return platform === 'darwin' && !hasIdentity ? ['-c.extraMetadata.isUnsigned=true'] : [];
}

/**
 * Returns the names of empty signing variables, which a workflow sets if a secret is missing. electron-builder fails because it
 * takes an empty `CSC_LINK` for a path; without the variable it packages unsigned.
 */
export function emptySigningVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(env).filter((name) => /^(?:WIN_)?CSC_|^APPLE_/.test(name) && env[name]?.trim() === '');
}

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
  const expectedFiles = releaseFiles(version);
  const missing = expectedFiles.filter((name) => !found.includes(name));
  const unexpectedFiles = found.filter((name) => !expectedFiles.includes(name));
  if (missing.length > 0) return `These files are missing: ${missing.join(', ')}`;
  return unexpectedFiles.length > 0 ? `These files do not belong to it: ${unexpectedFiles.join(', ')}` : null;
}

export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly desktopName?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the manifest of the packed program. Everything is bundled, so it only depends on the pinned Node, if one exists for
 * the system. Electron is an optional peer dependency.
 */
export function packageManifest(source: SourceManifest, node: SourceManifest): object {
  return {
    name: source.name,
    version: source.version,
    description: source.description,
    license: source.license,
    // Prevents publishing: the name on the public registry belongs to another project.
    private: true,
    type: 'module',
    main: 'dist/desktop/main.js',
    desktopName: source.desktopName,
    bin: { cooper: 'bin/cooper.mjs' },
    man: ['docs/cooper.1'],
    files: ['bin', 'dist', 'docs'],
    // Lower than the version needed, since the launcher finds a newer Node if the running one is too old.
    engines: { node: '>=20' },
    optionalDependencies: node.optionalDependencies,
    peerDependencies: { electron: source.devDependencies?.['electron'] },
    peerDependenciesMeta: { electron: { optional: true } },
  };
}
