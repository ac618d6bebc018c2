import { openLink } from '../../features/links/index.ts';
import { objectRow } from '../../features/objects/index.ts';
import { beginDrag, copyMarked, openOperation } from '../../features/operations/index.ts';
import { openVersions } from '../../features/versions/index.ts';
import { openProperties } from '../../features/properties/index.ts';
import type { FoundServices } from './search-place.tsx';

/** The folder actions for search results. They act below the folder that was searched. */
export const foundObjects: Pick<
  FoundServices,
  'transfer' | 'mark' | 'drag' | 'showProperties' | 'showVersions' | 'createLink'
> = {
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
  drag: ({ connectionId, bucket, prefix }, data, entries, t) => {
    beginDrag(data, { connectionId, bucket, folder: prefix }, entries.map(objectRow), t);
  },
  showVersions: ({ connectionId, bucket }, key) => {
    openVersions({ connectionId, bucket, key });
  },
  showProperties: ({ connectionId, bucket }, entries) => {
    const objects = entries.map(objectRow);
    openProperties({ connectionId, bucket, keys: objects.map(({ key }) => key), prefixes: [], objects });
  },
  createLink: ({ connectionId, bucket }, key) => {
    openLink({ connectionId, bucket, key });
  },
};
