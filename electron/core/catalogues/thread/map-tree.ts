import type { MapColouring, MapFilter, MapMeasure, MapNode, MapTree } from '../../../../shared/models/map.ts';
import { monthOf, type KeyRow } from '../../walks/map/key-row.ts';
import { LargestFirst } from './tops.ts';
import { ageGroupOf, isoOf, kindOfKey, nameOfKey, type MapSums } from './map-sums.ts';

export interface TreeOptions {
  readonly measure: MapMeasure;
  readonly colouring: MapColouring;
  /** The maximum number of nodes to return. */
  readonly limit: number;
}

/** Nodes smaller than this fraction of an average node are left out, because they would be too small to see. */
const minShare = 1 / 4;

interface Sum {
  sizeBytes: number;
  objects: number;
  folders: number;
}

/**
 * Returns the nodes with the largest sizes (or numbers of objects). Opens larger folders before smaller ones, up to the limit.
 */
export function mapTree(sums: MapSums, folder: string, filter: MapFilter, options: TreeOptions): MapTree {
  const { folderSums } = sums;
  const { revision } = folderSums;
  const top = folderSums.find(folder);
  const rolled = sums.rolled(filter);
  if (top === -1 || (rolled.objects[top] ?? 0) === 0) return { revision, nodes: [] };
  const values = options.measure === 'size' ? rolled.sizeBytes : rolled.objects;
  const newest = sums.rolledNewest();
  const { starts, children } = sums.childLists();
  const objects = sums.objectsByFolder(filter);
  const least = ((values[top] ?? 0) / options.limit) * minShare;
  const nodes: MapNode[] = [];
  /** The folder number of each node. The groups of nodes are set at the end, once all folders are known. */
  const folders = new Map<number, number>();
  const add = (number: number, node: Omit<MapNode, 'group'>): number => {
    folders.set(nodes.length, number);
    return nodes.push({ ...node, group: '' }) - 1;
  };
  const folderNode = (parent: number, number: number): number =>
    add(number, {
      parent,
      kind: 'folder',
      name: folderSums.nameOf(number),
      sizeBytes: rolled.sizeBytes[number] ?? 0,
      objects: rolled.objects[number] ?? 0,
      newest: isoOf(newest[number] ?? 0),
    });

  /** Adds nodes for subfolders that are large enough. Returns the sum of the others. */
  const openFolders = (number: number, node: number): Sum => {
    const rest: Sum = { sizeBytes: 0, objects: 0, folders: 0 };
    const inside = [...children.subarray(starts[number] ?? 0, starts[number + 1] ?? 0)];
    inside.sort((left, right) => (values[right] ?? 0) - (values[left] ?? 0));
    for (const child of inside) {
      const value = values[child] ?? 0;
      if (value > 0 && value >= least && nodes.length < options.limit)
        open.add({ folder: child, node: folderNode(node, child), value });
      else if ((rolled.objects[child] ?? 0) > 0) {
        rest.sizeBytes += rolled.sizeBytes[child] ?? 0;
        rest.objects += rolled.objects[child] ?? 0;
        rest.folders += 1;
      }
    }
    return rest;
  };

  /** Adds nodes for objects that are large enough. Returns the sum of the others. */
  const openObjects = (number: number, node: number): Sum => {
    const rest: Sum = {
      sizeBytes: rolled.directBytes[number] ?? 0,
      objects: rolled.directObjects[number] ?? 0,
      folders: 0,
    };
    for (const row of objects.get(number) ?? []) {
      const value = options.measure === 'size' ? row.sizeBytes : 1;
      if (value < least || nodes.length >= options.limit) continue;
      rest.sizeBytes -= row.sizeBytes;
      rest.objects -= 1;
      nodes.push({
        parent: node,
        kind: 'object',
        name: nameOfKey(row.key),
        sizeBytes: row.sizeBytes,
        objects: 1,
        group: rowGroup(sums, row, options.colouring),
        newest: isoOf(row.modifiedS),
      });
    }
    return rest;
  };

  const open = new LargestFirst<{ readonly folder: number; readonly node: number; readonly value: number }>();
  open.add({ folder: top, node: folderNode(-1, top), value: values[top] ?? 0 });
  for (let next = open.take(); next !== null && nodes.length < options.limit; next = open.take()) {
    const { folder: number, node } = next;
    const smaller = openFolders(number, node);
    const files = openObjects(number, node);
    if (files.objects > 0)
      add(number, {
        parent: node,
        kind: 'files',
        name: '',
        sizeBytes: files.sizeBytes,
        objects: files.objects,
        newest: isoOf(folderSums.newestOf(number)),
      });
    if (smaller.folders > 0)
      add(number, {
        parent: node,
        kind: 'smaller',
        name: String(smaller.folders),
        sizeBytes: smaller.sizeBytes,
        objects: smaller.objects,
        newest: null,
      });
  }
  const groupOf = folderGroups(sums, filter, options, [...new Set(folders.values())]);
  const grouped = nodes.map((node, at): MapNode => {
    const number = folders.get(at);
    return number === undefined ? node : { ...node, group: groupOf(number) };
  });
  return { revision, nodes: grouped };
}

function folderGroups(
  sums: MapSums,
  filter: MapFilter,
  { measure, colouring }: TreeOptions,
  folders: readonly number[],
): (folder: number) => string {
  switch (colouring) {
    case 'folder':
      return () => '';
    case 'kind':
      return sums.dominant(filter, measure, sums.byKind, folders);
    case 'storageClass':
      return sums.dominant(filter, measure, sums.byClass(), folders);
    case 'age':
      return sums.dominant(filter, measure, sums.byAge, folders);
    default:
      return colouring satisfies never;
  }
}

function rowGroup(sums: MapSums, row: KeyRow, colouring: MapColouring): string {
  switch (colouring) {
    case 'folder':
      return '';
    case 'kind':
      return kindOfKey(row.key);
    case 'storageClass':
      return row.storageClass;
    case 'age':
      return ageGroupOf(monthOf(row.modifiedS), sums.nowMonth);
    default:
      return colouring satisfies never;
  }
}
