import type { FileEntry, FolderListing } from '../../../shared/models/files.ts';

export type PickKind = FileEntry['kind'];

export interface PickerFolder {
  readonly handle: string;
  readonly name: string;
}

/** The picker's location: the roots, or a folder. */
export type PickerSpot =
  { readonly kind: 'roots' } | { readonly kind: 'folder'; readonly folder: PickerFolder };

export const atRoots: PickerSpot = { kind: 'roots' };

export function inFolder(folder: PickerFolder): PickerSpot {
  return { kind: 'folder', folder: { handle: folder.handle, name: folder.name } };
}

/** Returns the effect of Enter or a double click. A folder opens; a file is chosen if the picker asks for a file. */
export function openingOf(entry: FileEntry, pickKind: PickKind): 'enter' | 'choose' | 'nothing' {
  if (entry.kind === 'folder') return 'enter';
  return pickKind === 'file' ? 'choose' : 'nothing';
}

/** Returns the entry that the button chooses: the marked entry, or the open folder if the picker asks for a folder. */
export function choiceOf(spot: PickerSpot, marked: FileEntry | null, pickKind: PickKind): FileEntry | null {
  if (marked?.kind === pickKind) return marked;
  if (pickKind === 'folder' && spot.kind === 'folder')
    return { ...spot.folder, kind: 'folder', sizeBytes: null, modifiedAt: null };
  return null;
}

/** Returns the parent folder, or the roots. */
export function parentSpot(trail: FolderListing['trail']): PickerSpot {
  const above = trail.at(-2);
  return above === undefined ? atRoots : inFolder(above);
}
