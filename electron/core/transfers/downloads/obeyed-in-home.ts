import path from 'node:path';

/**
 * Paths below the home folder whose files are run or configure programs, in lower case. All apply on every system, because
 * systems may share a disk. Nested paths are listed too, because the user may have chosen the outer folder.
 */
const places = [
  // Linux.
  'bin',
  'sbin',
  'go/bin',
  // macOS.
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
  // Windows.
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
];

/** Files on the desktop that start programs on a double click, though they look like documents. */
const launcher =
  /^(?:onedrive\/)?desktop\/(?:.*\/)?[^/]*\.(?:desktop|lnk|url|pif|scf|command|terminal|webloc|fileloc|inetloc)$/;
const registryHive = /^ntuser\.(?:dat|ini)/;

const firstNames = new Set([...places.map((place) => place.split('/', 1)[0] ?? ''), 'desktop', 'onedrive']);

/**
 * Returns true if other programs run or obey this file: a hidden file in the home folder (`.bashrc`, `.ssh/authorized_keys`) or a
 * path in the table. Returns false if the user chose that folder itself or one inside it. Both folders must be real paths.
 */
export function isObeyedInHome(home: string, folder: string, local: string): boolean {
  const chosen = relativeTo(home, folder);
  if (chosen === null) return false;
  const { isInside, first } = chosen;
  // This fast check comes first, because joining and comparing thousands of paths takes longer than storing their items.
  if (isInside && !firstNames.has(first)) return false;
  const target = path.relative(home, path.join(folder, ...local.split('/')));
  if (target === '' || isOutside(target)) return false;
  if (target.startsWith('.')) return !isInside;
  const name = target.split(path.sep).join('/').normalize('NFC').toLowerCase();
  if (launcher.test(name) || registryHive.test(name)) return true;
  return places.some((place) => isBelow(name, place) && !(isInside && isBelow(chosen.name, place)));
}

interface ChosenFolder {
  readonly home: string;
  readonly folder: string;
  /** True if the folder is below the home folder. False if it is the home folder itself or contains it. */
  readonly isInside: boolean;
  readonly name: string;
  readonly first: string;
}

let last: ChosenFolder | null = null;

/** Returns the position of the chosen folder relative to the home folder; null if nothing below it can be in the home folder. */
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
