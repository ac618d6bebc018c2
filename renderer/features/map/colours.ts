import type { MapColouring, MapNode } from '../../../shared/models/map.ts';
import { ageGroups } from '../../../shared/models/map-groups.ts';
import { fileKinds } from '../../../shared/keys/file-kind.ts';

/** The colours for folders and storage classes. White text on them has a contrast of at least 4.5:1 in both themes. */
export const palette = [
  '#0f766e',
  '#3b6ea5',
  '#a8500f',
  '#7267a8',
  '#86693a',
  '#a33b39',
  '#11777f',
  '#8f5f0b',
  '#8a4f86',
  '#4f7a2a',
] as const;
export const quietColour = '#64748b';

/** The colours of ages, from newest to oldest. */
const ageColours = ['#0f766e', '#2d6f7f', '#46698a', '#6a638f', '#7d5a72', quietColour] as const;
const kindColours: Readonly<Record<(typeof fileKinds)[number], string>> = {
  file: quietColour,
  archive: '#86693a',
  audio: '#8a4f86',
  code: '#7267a8',
  document: '#3b6ea5',
  image: '#0f766e',
  log: '#8f5f0b',
  sheet: '#4f7a2a',
  video: '#a8500f',
};

/** Returns the colour for a group. `classes` lists the storage classes in the order that decides their colours. */
export function groupColour(colouring: MapColouring, group: string, classes: readonly string[]): string {
  switch (colouring) {
    case 'folder':
      return quietColour;
    case 'kind':
      return kindColours[fileKinds.find((kind) => kind === group) ?? 'file'];
    case 'age':
      return ageColours[ageGroups.findIndex((age) => age === group)] ?? quietColour;
    case 'storageClass':
      return palette[classes.indexOf(group) % palette.length] ?? quietColour;
    default:
      return colouring satisfies never;
  }
}

/** Returns the colour for each node. When coloured by folder, a node has the colour of its top-level folder. */
export function nodeColours(
  nodes: readonly MapNode[],
  colouring: MapColouring,
  classes: readonly string[],
): readonly string[] {
  const colours: string[] = [];
  let tops = 0;
  for (const { parent, kind, group } of nodes) {
    if (colouring !== 'folder') colours.push(groupColour(colouring, group, classes));
    else if (parent > 0) colours.push(colours[parent] ?? quietColour);
    else if (parent === 0 && kind === 'folder') {
      colours.push(palette[tops % palette.length] ?? quietColour);
      tops += 1;
    } else colours.push(quietColour);
  }
  return colours;
}
