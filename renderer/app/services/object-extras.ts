import type { ObjectRef } from '../../../shared/models/objects.ts';
import { openReport } from '../../features/inventory/index.ts';
import { openLink } from '../../features/links/index.ts';
import type { FolderRow } from '../../features/objects/index.ts';
import { openProperties } from '../../features/properties/index.ts';
import { openVersions } from '../../features/versions/index.ts';
import { rowsPlace, type WindowPlace } from '../places/places.ts';

type Rows = readonly FolderRow[];

/** Opens the properties of the selection. Has no effect on a page without objects. */
export function showProperties(place: WindowPlace, rows: Rows): void {
  const from = rowsPlace(place);
  if (from === null) return;
  openProperties({
    connectionId: from.connectionId,
    bucket: from.bucket,
    keys: rows.filter(({ kind }) => kind === 'object').map(({ key }) => key),
    prefixes: rows.filter(({ kind }) => kind === 'folder').map(({ key }) => key),
    objects: rows.filter(({ kind }) => kind === 'object'),
  });
}

/** Returns a function that opens a dialog about the selected object. Has no effect unless exactly one object is selected. */
function forOnlyObject(open: (object: ObjectRef) => void) {
  return (place: WindowPlace, rows: Rows): void => {
    const object = onlyObject(place, rows);
    if (object !== null) open(object);
  };
}

export const showVersions = forOnlyObject(openVersions);
export const showLink = forOnlyObject(openLink);
export const showReport = forOnlyObject(openReport);

/** Returns the selected object, or null unless exactly one object is selected. */
function onlyObject(place: WindowPlace, rows: Rows): ObjectRef | null {
  const [row] = rows;
  const from = rowsPlace(place);
  if (from === null || rows.length !== 1 || row?.kind !== 'object') return null;
  return { connectionId: from.connectionId, bucket: from.bucket, key: row.key };
}
