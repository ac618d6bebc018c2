import type { TFunction } from 'i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { MapNode } from '../../../shared/models/map.ts';
import { formatCount } from '../../ui/words/format.ts';

/** Returns the display name of a node. */
export function nodeWords(node: MapNode | undefined, t: TFunction): string {
  if (node === undefined) return '';
  switch (node.kind) {
    case 'folder':
    case 'object':
      return nameText(node.name, t('common.keyText.empty'));
    case 'files':
      return t('map.files', { count: node.objects, number: formatCount(node.objects) });
    case 'smaller': {
      const count = Number(node.name);
      return t('map.smaller', { count, number: formatCount(count) });
    }
    default:
      return node.kind satisfies never;
  }
}

/** Returns the key for a node that is a folder or an object. Null for any other node. */
export function keyOfNode(nodes: readonly MapNode[], at: number, folder: string): string | null {
  const node = nodes[at];
  if (node === undefined || (node.kind !== 'folder' && node.kind !== 'object')) return null;
  let key = node.kind === 'folder' ? `${node.name}/` : node.name;
  for (let parent = node.parent; parent > 0; parent = nodes[parent]?.parent ?? -1)
    key = `${nodes[parent]?.name ?? ''}/${key}`;
  return folder + key;
}
