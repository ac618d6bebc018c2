import { describe, expect, it } from 'vitest';
import {
  atRoots,
  choiceOf,
  inFolder,
  openingOf,
  parentSpot,
} from '../../../../renderer/features/files/picker-model.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';

const entry = (name: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  handle: `h-${name}`,
  name,
  kind,
  sizeBytes: kind === 'file' ? 1 : null,
  modifiedAt: null,
});
const home = { handle: 'h-home', name: 'home' };

describe('the file picker', () => {
  it('opens folders, and chooses a file only if files are wanted', () => {
    expect(openingOf(entry('a', 'folder'), 'file')).toBe('enter');
    expect(openingOf(entry('a', 'folder'), 'folder')).toBe('enter');
    expect(openingOf(entry('a'), 'file')).toBe('choose');
    expect(openingOf(entry('a'), 'folder')).toBe('nothing');
  });

  it('chooses the selected entry only if it is of the wanted kind', () => {
    expect(choiceOf(inFolder(home), entry('a'), 'file')?.name).toBe('a');
    expect(choiceOf(inFolder(home), entry('a', 'folder'), 'file')).toBeNull();
    expect(choiceOf(inFolder(home), entry('a', 'folder'), 'folder')?.name).toBe('a');
  });

  it('chooses the open folder if none is selected, but never the roots', () => {
    expect(choiceOf(inFolder(home), null, 'folder')?.handle).toBe('h-home');
    expect(choiceOf(inFolder(home), entry('a'), 'folder')?.handle).toBe('h-home');
    expect(choiceOf(atRoots, null, 'folder')).toBeNull();
    expect(choiceOf(inFolder(home), null, 'file')).toBeNull();
  });

  it('goes up through its parents to the roots', () => {
    expect(parentSpot([home, { handle: 'h-x', name: 'x' }])).toEqual(inFolder(home));
    expect(parentSpot([home])).toEqual(atRoots);
    expect(parentSpot([])).toEqual(atRoots);
  });
});
