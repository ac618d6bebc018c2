import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../../shared/models/objects.ts';
import { parentFolder } from '../../../shared/keys/paths.ts';
import { rememberObject, type FolderHandle } from '../../features/objects/index.ts';
import { openOperation } from '../../features/operations/index.ts';
import { readForm, type ChosenResults, type SearchWhere } from '../../features/search/index.ts';
import { startDownload } from '../../features/transfers/index.ts';
import { closeWalk, rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useLatestOpening } from '../../ui/latest-opening.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { PaneId } from '../places/navigation.ts';
import {
  folderPlace,
  isSameWindowPlace,
  placeKey,
  searchPlace,
  type FolderWindowPlace,
  type SearchWindowPlace,
  type WindowPlace,
} from '../places/places.ts';
import { beginPricedResults } from '../services/priced-download.ts';
import type { FoundServices } from './search-place.tsx';

interface Needs {
  /** The active pane. */
  readonly pane: PaneId;
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  readonly go: (place: WindowPlace) => void;
}

export interface SearchActions {
  readonly found: Pick<FoundServices, 'download' | 'remove' | 'showObject'>;
  readonly openFolder: (where: SearchWhere) => void;
  /** Focuses an object in a folder that the active pane shows or is about to show. With `isLook`, opens a quick look. */
  readonly focusObject: (at: FolderWindowPlace, key: string, isLook?: boolean) => void;
  /** Searches names below the visible folder for a text. With '', opens an empty search form. */
  readonly searchFor: (text: string) => void;
  /** Searches all names in a bucket. */
  readonly searchBucket: (bucket: Place, text: string) => void;
  /** Opens the folder of an object, and selects the object. */
  readonly lookAt: (bucket: Place, key: string) => void;
}

/** Starts searches, and connects their results with the rest of the window. */
export function useSearchActions({ pane, place, folder, go }: Needs): SearchActions {
  const { t } = useTranslation();
  const { focusObject } = useStable({
    focusObject: (at: FolderWindowPlace, key: string, isLook = false) => {
      if (isSameWindowPlace(at, place)) folder.current?.select('object', key, isLook);
      else rememberObject(at, pane, key, isLook);
    },
  });
  const show = ({ connectionId, bucket }: Place, key: string, isLook: boolean): void => {
    const at = folderPlace(connectionId, bucket, parentFolder(key) ?? '');
    focusObject(at, key, isLook);
    go(at);
  };
  const found = useStable({
    download: ({ prefix, ...at }: SearchWindowPlace, chosen: ChosenResults) => {
      const begin = (): void => startDownload({ ...at, folder: prefix }, chosen.items, t);
      beginPricedResults(at, chosen, begin, t);
    },
    remove: ({ connectionId, bucket, prefix }: SearchWindowPlace, chosen: ChosenResults) => {
      const { walkId, entries, count, sizeBytes } = chosen;
      openOperation({
        kind: 'delete',
        place: { connectionId, bucket, folder: prefix },
        rows: (entries ?? []).map((entry) => ({
          kind: 'object',
          key: entry.key,
          sizeBytes: entry.sizeBytes,
        })),
        found: entries === null ? { walkId, keys: count, sizeBytes } : null,
        allVersions: false,
      });
    },
    showObject: (place: Place, key: string) => show(place, key, false),
  });
  const page = `${String(pane)} ${placeKey(place.kind === 'folder' ? { ...place, startsWith: '' } : place)}`;
  const opening = useLatestOpening(closeWalk, page);
  const startIn = (at: FolderWindowPlace, text: string): void => {
    const next = searchPlace(at, crypto.randomUUID());
    if (next?.kind !== 'search') return;
    const form = { ...next.form, text };
    const read = readForm(form, Date.now());
    if (text === '' || read.kind === 'wrong') go({ ...next, form });
    else
      sayingFailure(async () => {
        const { connectionId, bucket, prefix } = next;
        const request = { connectionId, bucket, prefix, query: read.query };
        const walkId = await opening.open(async () => (await rpc.walks.start(request)).walkId);
        if (walkId !== null) go({ ...next, form, walkId });
      });
  };
  const { lookAt, openFolder, searchFor, searchBucket } = useStable({
    lookAt: (place: Place, key: string) => show(place, key, true),
    searchFor: (text: string) => {
      if (place.kind === 'folder') startIn(place, text);
    },
    searchBucket: ({ connectionId, bucket }: Place, text: string) =>
      startIn(folderPlace(connectionId, bucket, ''), text),
    openFolder: ({ connectionId, bucket, prefix }: SearchWhere) =>
      go(folderPlace(connectionId, bucket, prefix)),
  });
  return { found, openFolder, focusObject, searchFor, searchBucket, lookAt };
}
