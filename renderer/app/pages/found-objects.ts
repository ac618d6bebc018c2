import { openLink } from '../../features/links/index.ts';
import { objectRow } from '../../features/objects/index.ts';
import { copyMarked, openOperation } from '../../features/operations/index.ts';
import { openProperties } from '../../features/properties/index.ts';
import type { FoundServices } from './search-place.tsx';

/** The actions of a folder, for search results. They act below the folder that was searched. */
export const foundObjects: Pick<FoundServices, 'transfer' | 'mark' | 'showProperties' | 'createLink'> = {
  transfer: ({ connectionId, bucket, prefix }, entries, isMove) => {
    openOperation({
      kind: 'target',
      from: { connectionId, bucket, folder: prefix },
      rows: entries.map(objectRow),
      isMove,
    });
  },
  mark: ({ connectionId, bucket, prefix }, entries) => {
    copyMarked({ connectionId, bucket, folder: prefix }, entries.map(objectRow));
  },
  showProperties: ({ connectionId, bucket }, entries) => {
    const objects = entries.map(objectRow);
    openProperties({ connectionId, bucket, keys: objects.map(({ key }) => key), prefixes: [], objects });
  },
  createLink: ({ connectionId, bucket }, key) => {
    openLink({ connectionId, bucket, key });
  },
};
