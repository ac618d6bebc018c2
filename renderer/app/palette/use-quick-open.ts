import { Archive, File, Folder, Link2, Search } from 'lucide-react';
import { useMemo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../../shared/keys/s3-link.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { FoundName } from '../../../shared/models/map.ts';
import type { Place } from '../../../shared/models/objects.ts';
import {
  useAllBucketStates,
  useConnectionName,
  useConnections,
  useSampleService,
} from '../../features/connections/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { OverlayServices } from '../commands/overlay-store.ts';
import { findPlace } from '../path/open-address.ts';
import { findObject } from '../path/open-object.ts';
import { bucketOf, connectionOf, folderPlace, type WindowPlace } from '../places/places.ts';
import { rowEntryId, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';
import { typedPlaces, type KnownBuckets } from './typed-place.ts';

interface Found {
  readonly text: string;
  readonly names: readonly FoundName[];
  readonly isOver: boolean;
}

const none: readonly never[] = [];
const nothing: Found = { text: '', names: [], isOver: true };

/**
 * Returns the names in catalogues that match a text, in the same way as a search. Keeps the names found for the previous text
 * until the first new names arrive.
 */
function useFoundNames(
  text: string,
  near: Place | null,
): { readonly names: readonly FoundName[]; readonly isSearching: boolean } {
  const [found, setFound] = useState(nothing);
  const [connectionId, bucket] = [near?.connectionId ?? null, near?.bucket ?? null];
  useEffect(() => {
    if (text === '') return undefined;
    const aborter = new AbortController();
    const { signal } = aborter;
    const at = connectionId === null || bucket === null ? null : { connectionId, bucket };
    void follow(text, at, signal, setFound);
    return () => aborter.abort();
  }, [text, connectionId, bucket]);
  return text === ''
    ? { names: nothing.names, isSearching: false }
    : { names: found.names, isSearching: found.text !== text || !found.isOver };
}

async function follow(
  text: string,
  near: Place | null,
  signal: AbortSignal,
  report: (found: Found) => void,
): Promise<void> {
  try {
    for await (const { found, isOver } of await rpc.map.find({ text, near }, { signal }))
      if (!signal.aborted) report({ text, names: found, isOver });
  } catch {
    // The next text aborted this search, or the connection to the core is lost, which a banner already reports.
    if (!signal.aborted) report({ ...nothing, text });
  }
}

/** Entries for a typed text, besides places and loaded rows. */
export interface QuickOpen {
  /** The locations to which the text refers if it is an address. They come first. */
  readonly addresses: readonly PaletteEntry[];
  /** Names from catalogues. */
  readonly found: PaletteGroup;
  readonly isSearching: boolean;
  /** The last line, which searches a bucket for the text. Null for an empty text. */
  readonly search: PaletteEntry | null;
}

interface QuickOpenProps {
  readonly typed: string;
  readonly place: WindowPlace;
  readonly services: OverlayServices;
  /** Asks in which bucket to search for this text. */
  readonly onSearchWhere: (text: string) => void;
}

/** Returns the entries for a typed text: locations if it may be an address, and names from catalogues. */
export function useQuickOpen({ typed, place, services, onSearchWhere }: QuickOpenProps): QuickOpen {
  const { t } = useTranslation();
  const text = typed.trim();
  const bucket = bucketOf(place);
  const known = useKnownBuckets();
  const { names, isSearching } = useFoundNames(text, bucket);
  const { onGo, onObject, onSearch } = services;
  const entries = useMemo(
    () => names.map((name) => foundEntry(name, { onGo, onObject })),
    [names, onGo, onObject],
  );
  const addresses = typedPlaces(text, known, connectionOf(place)).map((typedAt): PaletteEntry => {
    const { connectionId, connectionName, bucket: named, prefix, isWeb } = typedAt;
    const address = formatAddress(typedAt);
    return {
      kind: 'name',
      id: `address:${connectionId}:${address}`,
      label: t('palette.openAddress', { address }),
      detail: connectionName,
      icon: Link2,
      run: () => {
        sayingFailure(async () => {
          if (!isWeb) {
            onGo(await findPlace(rpc, connectionId, typedAt));
            return;
          }
          const found = await findObject(rpc, connectionId, { bucket: named, key: prefix });
          if (found.key === null) onGo(found.place);
          else onObject(typedAt, found.key);
        });
      },
    };
  });
  const last = { id: 'search-everything', kind: 'command', icon: Search } as const;
  const search: PaletteEntry =
    bucket === null
      ? { ...last, label: t('palette.search', { text }), staysOpen: true, run: () => onSearchWhere(text) }
      : {
          ...last,
          label: t('palette.searchIn', { text, bucket: bucket.bucket }),
          run: () => onSearch(bucket, text),
        };
  return {
    addresses,
    found: { name: t('palette.found'), entries },
    isSearching,
    search: text === '' ? null : search,
  };
}

/** Returns the buckets of all connections as entries, from which the user chooses the bucket to search. */
export function useBucketChoice(onBucket: (bucket: Place) => void): PaletteGroup {
  const { t } = useTranslation();
  const entries = useKnownBuckets().flatMap(({ connectionId, connectionName, buckets }) =>
    buckets.map((bucket): PaletteEntry => ({
      kind: 'name',
      id: `bucket:${connectionId}:${bucket}`,
      label: bucket,
      detail: connectionName,
      icon: Archive,
      run: () => onBucket({ connectionId, bucket }),
    })),
  );
  return { name: t('common.palette.groups.buckets'), entries };
}

function useKnownBuckets(): readonly KnownBuckets[] {
  const nameOf = useConnectionName();
  const { data: connections } = useConnections();
  const lists = useAllBucketStates(connections ?? none);
  // The address of the sample service changes at each start.
  const samples = useSampleService(connections?.some(({ builtIn }) => builtIn) === true).data;
  return useMemo(
    () =>
      (connections ?? none).map((connection) => {
        const state = lists.get(connection.id);
        return {
          connectionId: connection.id,
          connectionName: nameOf(connection),
          provider: connection.provider,
          endpoint: (connection.builtIn ? samples?.endpoint : null) ?? connection.endpoint,
          buckets: state?.kind === 'known' ? state.buckets.map(({ name }) => name) : [],
        };
      }),
    [connections, lists, nameOf, samples],
  );
}

function foundEntry(
  { connectionId, bucket, key }: FoundName,
  { onGo, onObject }: Pick<OverlayServices, 'onGo' | 'onObject'>,
): PaletteEntry {
  const isFolder = key.endsWith('/');
  const name = lastSegment(key);
  return {
    kind: 'name',
    id: rowEntryId({ connectionId, bucket }, key),
    label: name,
    detail: formatAddress({ bucket, prefix: key.slice(0, key.length - name.length - (isFolder ? 1 : 0)) }),
    icon: isFolder ? Folder : File,
    run: () => {
      if (isFolder) onGo(folderPlace(connectionId, bucket, key));
      else onObject({ connectionId, bucket }, key);
    },
  };
}
