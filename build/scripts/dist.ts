import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildWhenNeeded } from './build.ts';
import {
  asFolderArgs,
  electronMissingMessage,
  emptySigningVariables,
  updateFeedFlags,
  linuxArchive,
  needsTools,
  originFlags,
  toolsMissingMessage,
  unsignedFlags,
} from './release/dist-plan.ts';
import { cacheDirOf, whyUnreachable, findElectron } from './electron/electron-binary.ts';
import { root, runCommand } from './run-command.ts';

/**
 * `npm run dist`: builds the packages for this system. Passes arguments after `--` to electron-builder. COOPER_ELECTRON_DIST
 * names an Electron (folder or zip) to use in place of a downloaded one.
 */
const releasePage = 'https://github.com/electron-userland/electron-builder-binaries/releases';
const output = path.resolve(root, process.env['COOPER_DIST_OUTPUT'] ?? 'release');
const args = process.argv.slice(2);
const electronDist = process.env['COOPER_ELECTRON_DIST'];

for (const name of emptySigningVariables(process.env)) Reflect.deleteProperty(process.env, name);
process.exitCode = await dist();

async function dist(): Promise<number> {
  await buildWhenNeeded();
  if (!needsTools(args) && electronDist !== undefined) return makePackages(args);

  // Tries the files cached by an earlier run before asking the release page.
  const cachedStatus = hasCache('electron-builder') ? await makePackages(args) : null;
  if (cachedStatus === 0) return 0;
  const reason = await whyNoTools();
  if (reason === null) return cachedStatus ?? makePackages(args);
  const electron = electronDist ?? installedElectron();
  if (electron === null && !hasCache('electron')) {
    console.error(electronMissingMessage(reason));
    return 1;
  }
  if (!needsTools(args)) return makePackages(args, electron);
  console.log(toolsMissingMessage(reason));
  const folderArgs = asFolderArgs(args, process.arch);
  const status = await makePackages(folderArgs, electron);
  return status === 0 && process.platform === 'linux' ? archive(folderArgs) : status;
}

async function makePackages(
  packageArgs: readonly string[],
  electron = electronDist ?? null,
): Promise<number> {
  const builderArguments = [
    '--config',
    'build/electron-builder.yml',
    '--publish',
    'never',
    `-c.directories.output=${output}`,
    // Only deb and rpm use these fields, and the Windows shell would misread the angle brackets.
    ...(process.platform === 'linux' ? originFlags(process.env['GITHUB_REPOSITORY']) : []),
    ...updateFeedFlags(process.env['GITHUB_REPOSITORY']),
    ...unsignedFlags(process.platform, process.env),
    ...(electron === null ? [] : [`-c.electronDist=${path.resolve(root, electron)}`]),
  ];
  const { status } = await runCommand('electron-builder', [...packageArgs, ...builderArguments]);
  return status;
}

/** Packs the folder with the system's tar, as electron-builder would. */
async function archive(packageArgs: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { folder, file } = linuxArchive({ args: packageArgs, arch: process.arch, version });
  if (!existsSync(path.join(output, folder))) return 0; // A build for another system.
  const top = file.replace(/\.tar\.gz$/, '');
  const target = path.join(output, file);
  const { status } = await runCommand('tar', [
    '--create',
    '--gzip',
    '--file',
    target,
    '--directory',
    output,
    `--transform=s,^${folder},${top},`,
    '--owner=0',
    '--group=0',
    folder,
  ]);
  if (status === 0) console.log(`Made ${path.relative(root, target)}.`);
  return status;
}

/** Returns why the release tools cannot be downloaded, or null if they can. A mirror only has to respond, even with an error. */
async function whyNoTools(): Promise<string | null> {
  const mirror =
    process.env['ELECTRON_BUILDER_BINARIES_MIRROR'] ??
    process.env['npm_config_electron_builder_binaries_mirror'];
  return whyUnreachable(mirror ?? releasePage, { anyAnswer: mirror !== undefined });
}

function installedElectron(): string | null {
  return findElectron(root) === null
    ? null
    : (process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? path.join(root, 'node_modules/electron/dist'));
}

/** Returns true if an earlier run cached downloads. If they are incomplete, electron-builder names the missing file. */
function hasCache(name: 'electron' | 'electron-builder'): boolean {
  const dir = cacheDirOf(name);
  return existsSync(dir) && readdirSync(dir).length > 0;
}
