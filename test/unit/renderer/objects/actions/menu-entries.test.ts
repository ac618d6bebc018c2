import { expect, test, vi } from 'vitest';
import {
  menuGroups,
  type RowMenuOptions,
} from '../../../../../renderer/features/objects/actions/menu-entries.ts';
import type { FolderRow } from '../../../../../renderer/features/objects/rows/row.ts';

// Both modules need a window, which does not exist here.
vi.mock('../../../../../renderer/rpc/message-port.ts', () => ({ desktopBridge: () => null }));
vi.mock('../../../../../renderer/features/objects/actions/use-copy-as.tsx', () => ({ copyForms: [] }));

const row = (kind: FolderRow['kind']): FolderRow => ({ kind, key: 'a', name: 'a' }) as unknown as FolderRow;

/** Returns the labels of the menu's entries for these rows on a host. */
function labelsFor(selected: readonly FolderRow[], fetchForDrag: (() => void) | null): readonly string[] {
  const options = {
    selected,
    actions: { about: {}, fetchForDrag, downloadInBrowser: null },
    copyAs: {},
    onThumbnails: null,
  } as unknown as RowMenuOptions;
  return menuGroups(options, ((key: string) => key) as never).flatMap((group) =>
    group.flatMap((entry) => (entry === false ? [] : [entry.label])),
  );
}

const run = (): void => undefined;

test('objects, but not folders, can be prepared to be dragged out if the host supports dragging files', () => {
  expect(labelsFor([row('object'), row('object')], run)).toContain('transfers.fetchForDrag');
  expect(labelsFor([row('object'), row('folder')], run)).not.toContain('transfers.fetchForDrag');
  expect(labelsFor([], run)).not.toContain('transfers.fetchForDrag');
  expect(labelsFor([row('object')], null)).not.toContain('transfers.fetchForDrag');
});
