import path from 'node:path';

/**
 * Paths below the home folder whose files are executed or configure programs, in lower case. All apply on every system,
 * since several may share a disk. Nested paths are listed too, for when the outer one was chosen.
 */
const places: Readonly<Record<'linux' | 'darwin' | 'win32', readonly string[]>> = {
  linux: ['bin', 'sbin', 'go/bin'],
  darwin: [
    'applications',
    'library',
    'library/application scripts',
    'library/application support',
    'library/input methods',
    'library/internet plug-ins',
    'library/launchagents',
    'library/launchdaemons',
    'library/preferencepanes',
    'library/preferences',
    'library/quicklook',
    'library/scripts',
    'library/services',
    'library/spotlight',
    'library/workflows',
  ],
  win32: [
    'appdata',
    'appdata/local',
    'appdata/local/microsoft/windowsapps',
    'appdata/locallow',
    'appdata/roaming',
    'appdata/roaming/microsoft/windows/start menu',
    'appdata/roaming/microsoft/windows/start menu/programs',
    'appdata/roaming/microsoft/windows/start menu/programs/startup',
    'documents/powershell',
    'documents/windowspowershell',
    'onedrive/documents/powershell',
    'onedrive/documents/windowspowershell',
    'start menu',
  ],
};

/** Files that start programs on a double click on the desktop, where they look like documents. */
const launcher =
  /^(?:onedrive\/)?desktop\/(?:.*\/)?[^/]*\.(?:desktop|lnk|url|pif|scf|command|terminal|webloc|fileloc|inetloc)$/;
const registryHive = /^ntuser\.(?:dat|ini)/;

const all = Object.values(places).flat();
const firstNames = new Set([...all.map((place) => place.split('/', 1)[0] ?? ''), 'desktop', 'onedrive']);

/**
 * Returns true if a path below the chosen folder is one that other programs obey: a hidden file of the home folder
 * (`.bashrc`, `.ssh/authorized_keys`), or a path in the table. Returns false if the user chose such a folder itself, or
 * one inside it. Both folders are real paths.
 */
export function isObeyedInHome(home: string, folder: string, local: string): boolean {
  const chosen = relativeTo(home, folder);
  if (chosen === null) return false;
  const { isInside, first } = chosen;
  // Joining and comparing paths for thousands of files costs more than their rows.
  if (isInside && !firstNames.has(first)) return false;
  const target = path.relative(home, path.join(folder, ...local.split('/')));
  if (target === '' || isOutside(target)) return false;
  if (target.startsWith('.')) return !isInside;
  const name = target.split(path.sep).join('/').normalize('NFC').toLowerCase();
  if (launcher.test(name) || registryHive.test(name)) return true;
  return all.some((place) => isBelow(name, place) && !(isInside && isBelow(chosen.name, place)));
}

interface ChosenFolder {
  readonly home: string;
  readonly folder: string;
  /** True if below the home folder; else it is the home folder or one above it. */
  readonly isInside: boolean;
  readonly name: string;
  readonly first: string;
}

let last: ChosenFolder | null = null;

/** Returns null if nothing below the folder is in the home folder. */
function relativeTo(home: string, folder: string): ChosenFolder | null {
  if (last?.home === home && last.folder === folder) return last;
  const relative = path.relative(home, folder);
  if (path.isAbsolute(relative)) return null;
  const isInside = relative !== '' && !isOutside(relative);
  if (!isInside && isOutside(path.relative(folder, home))) return null;
  const name = relative.split(path.sep).join('/').normalize('NFC').toLowerCase();
  last = { home, folder, isInside, name, first: name.split('/', 1)[0] ?? '' };
  return last;
}

function isBelow(name: string, place: string): boolean {
  return name === place || name.startsWith(`${place}/`);
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}
