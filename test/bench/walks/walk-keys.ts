/** Returns the size of the object with this index, in bytes. */
export const sizeOf = (index: number): number => (index * 7919) % 1_000_003;

/** Returns the key with this index in a tree: teams with 25 folders, one per day, and files in them. Keys are in order. */
export function treeKey(index: number, filesPerFolder: number, teamDigits: number): string {
  const folder = Math.floor(index / filesPerFolder);
  const team = pad(Math.floor(folder / 25), teamDigits);
  return `team-${team}/2026-01-${pad((folder % 25) + 1, 2)}/scan-${pad(index % filesPerFolder, 5)}-${hash(index)}.tif`;
}

/** Returns enough digits for the teams to sort in numeric order. */
export function teamDigitsOf(keyCount: number, filesPerFolder: number): number {
  return Math.max(2, String(Math.ceil(keyCount / filesPerFolder / 25)).length);
}

export function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

export function hash(index: number): string {
  return (Math.imul(index + 1, 2654435761) >>> 0).toString(16).padStart(8, '0');
}

/** Returns the time of the object's last change. */
export function timeOf(index: number): string {
  return `2026-0${String(1 + (index % 9))}-11T08:30:00.000Z`;
}
