import type { TFunction } from 'i18next';
import { folderOf } from '../../../shared/keys/paths.ts';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import type { VersionRef } from '../../../shared/models/versions.ts';
import { openReport } from '../../features/inventory/index.ts';
import { openLink } from '../../features/links/index.ts';
import type { FolderRow } from '../../features/objects/index.ts';
import { openProperties } from '../../features/properties/index.ts';
import { startDownload } from '../../features/transfers/index.ts';
import { openVersions, type VersionServices } from '../../features/versions/index.ts';
import { textEdit } from '../../features/edits/index.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';
import type { ViewerServices } from '../../features/viewers/index.ts';
import { beginPricedObject } from './priced-download.ts';
import { rowsPlace, type FolderWindowPlace, type WindowPlace } from '../places/places.ts';

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

export function showVersions(place: WindowPlace, rows: Rows): void {
  const object = onlyObject(place, rows);
  if (object !== null) openVersions(object);
}

export function showLink(place: WindowPlace, rows: Rows): void {
  const object = onlyObject(place, rows);
  if (object !== null) openLink(object);
}

export function showReport(place: WindowPlace, rows: Rows): void {
  const object = onlyObject(place, rows);
  if (object !== null) openReport(object);
}

/** Returns the selected object, or null unless exactly one object is selected. */
function onlyObject(place: WindowPlace, rows: Rows): ObjectRef | null {
  const [row] = rows;
  const from = rowsPlace(place);
  if (from === null || rows.length !== 1 || row?.kind !== 'object') return null;
  return { connectionId: from.connectionId, bucket: from.bucket, key: row.key };
}

/** Returns the functions of other features that the versions feature uses. */
export function versionServices(
  t: TFunction,
  onGo: (place: WindowPlace) => void,
  place: WindowPlace,
): VersionServices {
  return {
    preview: previewVersion,
    openFolder: (folder) => {
      if (place.kind === 'folder') onGo({ ...place, folder, startsWith: '' } satisfies FolderWindowPlace);
    },
    download: downloader(t),
  };
}

/** Returns the functions of other features that the viewers use. */
export function viewerServices(t: TFunction): ViewerServices {
  return {
    download: downloader(t),
    editText: ({ connectionId, bucket, key }, etag) => textEdit({ connectionId, bucket, key }, etag),
  };
}

function downloader(t: TFunction): (ref: ObjectRef) => void {
  return (ref) => {
    const { connectionId, bucket, key, versionId } = ref;
    const from = { connectionId, bucket, folder: folderOf(key) };
    const item = { kind: 'key', key, ...(versionId === undefined ? {} : { versionId }) } as const;
    beginPricedObject(ref, () => startDownload(from, [item], t), t);
  };
}

const previewed = dialogStore<VersionRef>();

/** Shows one version of an object. */
export const previewVersion = previewed.open;
export const closePreviewedVersion = previewed.close;

export function usePreviewedVersion(): VersionRef | null {
  return previewed.useOpened(({ request }) => request);
}
