import { Archive, Folder, RefreshCw, Server } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import { crumbsOf, lastSegment, parentFolder } from '../../../shared/keys/paths.ts';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { orpc, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { OperationServices } from './operation-services.ts';
import classes from './operations.module.css';
import type { OperationPlace } from './chosen.ts';

/** The position of the target chooser. */
export type TargetSpot =
  | { readonly kind: 'connections' }
  | { readonly kind: 'buckets'; readonly connectionId: string }
  | { readonly kind: 'folder'; readonly place: OperationPlace };

interface SpotCrumb {
  readonly id: string;
  readonly name: string;
  readonly spot: TargetSpot;
}

export function spotAbove(spot: TargetSpot): TargetSpot | null {
  if (spot.kind === 'connections') return null;
  if (spot.kind === 'buckets') return { kind: 'connections' };
  const { connectionId, folder } = spot.place;
  const above = parentFolder(folder);
  return above === null
    ? { kind: 'buckets', connectionId }
    : { kind: 'folder', place: { ...spot.place, folder: above } };
}

/** Returns a text that is equal only for equal locations. */
export function spotId(spot: TargetSpot): string {
  if (spot.kind === 'connections') return '';
  if (spot.kind === 'buckets') return spot.connectionId;
  const { connectionId, bucket, folder } = spot.place;
  return JSON.stringify([connectionId, bucket, folder]);
}

/** Returns the path to a spot, starting with the list of connections. */
export function trailOf(
  spot: TargetSpot,
  connectionName: (connectionId: string) => string,
  rootName: string,
): readonly SpotCrumb[] {
  const crumb = (name: string, at: TargetSpot): SpotCrumb => ({ id: spotId(at), name, spot: at });
  const root = crumb(rootName, { kind: 'connections' });
  if (spot.kind === 'connections') return [root];
  const connectionId = spot.kind === 'buckets' ? spot.connectionId : spot.place.connectionId;
  const connection = crumb(connectionName(connectionId), { kind: 'buckets', connectionId });
  if (spot.kind === 'buckets') return [root, connection];
  const { bucket, folder } = spot.place;
  const inBucket = (within: string): TargetSpot => ({
    kind: 'folder',
    place: { connectionId, bucket, folder: within },
  });
  return [
    root,
    connection,
    crumb(bucket, inBucket('')),
    ...crumbsOf(folder).map((part) => crumb(part.name, inBucket(part.folder))),
  ];
}

/**
 * Returns the next entry, after the marked one and wrapping around, whose name starts with the typed text. Returns -1 if none
 * does.
 */
function typedIndex(names: readonly string[], typed: string, after: number): number {
  const wanted = typed.toLocaleLowerCase();
  for (let step = 1; step <= names.length; step += 1) {
    const index = (after + step + names.length) % names.length;
    if (names[index]?.toLocaleLowerCase().startsWith(wanted) === true) return index;
  }
  return -1;
}

interface Props {
  readonly spot: TargetSpot;
  readonly services: OperationServices;
  readonly onGo: (spot: TargetSpot) => void;
  readonly onUp: () => void;
}

const icons = { connection: Server, bucket: Archive, folder: Folder } as const;
/** Time in milliseconds within which typed letters form one text. */
const typingMs = 700;

/** Lists the folders in a location. Enter opens a folder, Backspace goes up, letters find a name. */
export function TargetList({ spot, services, onGo, onUp }: Props) {
  const { t } = useTranslation();
  const targets = useTargets(spot, services.connectionName);
  const { entries, hasMore } = targets;
  const [active, setActive] = useState(0);
  const typed = useRef({ text: '', atMs: 0 });
  const columns: readonly GridColumn[] = [
    { id: 'name', label: t('operations.target.kind'), width: 'minmax(0, 1fr)' },
  ];
  const open = (index: number): void => {
    const entry = entries[index];
    if (entry === undefined) targets.more();
    else onGo(entry.spot);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || (event.altKey && event.key === 'ArrowUp')) {
      event.preventDefault();
      onUp();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const going = event.timeStamp - typed.current.atMs < typingMs;
      typed.current = { text: (going ? typed.current.text : '') + event.key, atMs: event.timeStamp };
      const names = entries.map(({ name }) => name);
      const index = typedIndex(names, typed.current.text, going ? active - 1 : active);
      if (index >= 0) setActive(index);
    }
  };
  const note = targets.isPending
    ? t('operations.target.loading')
    : entries.length > 0 || hasMore
      ? null
      : t(spot.kind === 'folder' ? 'operations.target.none' : 'operations.target.noBuckets');
  const cellsOf = (index: number): readonly ReactNode[] => {
    const entry = entries[index];
    const Icon = entry === undefined ? RefreshCw : icons[entry.kind];
    return [
      <span key="name" className={classes.place} data-kind={entry?.kind}>
        <Icon size={15} aria-hidden />
        <span>
          {entry === undefined ? (
            t(targets.isFetching ? 'operations.target.loading' : 'operations.target.more')
          ) : (
            <KeyText name={entry.name} />
          )}
        </span>
      </span>,
    ];
  };
  if (targets.error !== null)
    return (
      <ErrorNotice
        error={targets.error}
        onRetry={targets.retry}
        permission={spot.kind === 'folder' ? 's3:ListBucket' : 's3:ListAllMyBuckets'}
      />
    );
  return (
    <>
      {note === null ? null : (
        <div className={classes.note} role="status">
          {note}
        </div>
      )}
      <VirtualGrid
        label={t('operations.target.list')}
        columns={columns}
        hasHeader={false}
        rowCount={entries.length + (hasMore ? 1 : 0)}
        rowHeightPx={28}
        active={active}
        onActive={setActive}
        onOpen={open}
        onKey={onKey}
        cellsOf={cellsOf}
      />
    </>
  );
}

interface TargetEntry {
  readonly kind: 'connection' | 'bucket' | 'folder';
  readonly name: string;
  readonly spot: TargetSpot;
}

interface Targets {
  readonly entries: readonly TargetEntry[];
  readonly isPending: boolean;
  readonly error: AppError | null;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly more: () => void;
  readonly retry: () => void;
}

/** Lists the connections, buckets or folders in a location. Folders are listed page by page. */
function useTargets(spot: TargetSpot, connectionName: (connectionId: string) => string): Targets {
  const isFolder = spot.kind === 'folder';
  const connections = useQuery(orpc.connections.list.queryOptions({ enabled: spot.kind === 'connections' }));
  const connectionId = spot.kind === 'buckets' ? spot.connectionId : '';
  const buckets = useQuery(
    orpc.buckets.list.queryOptions({
      input: { connectionId },
      enabled: spot.kind === 'buckets',
      // Lists buckets again each time, to find buckets created by other programs.
      staleTime: 0,
      retry: false,
    }),
  );
  const place = isFolder ? spot.place : null;
  const folders = useInfiniteQuery({
    queryKey: ['operations.targets', spotId(spot)],
    enabled: isFolder,
    staleTime: 0,
    gcTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const { connectionId: id = '', bucket = '', folder = '' } = place ?? {};
      const input = {
        connectionId: id,
        bucket,
        prefix: folder,
        delimiter: '/' as const,
        pageToken: pageParam,
      };
      return await rpc.objects.list(input, { signal });
    },
    getNextPageParam: (last) => last.nextPageToken,
  });
  const pages = folders.data?.pages;
  const entries = useMemo((): readonly TargetEntry[] => {
    switch (spot.kind) {
      case 'connections':
        return (connections.data ?? []).map(({ id }) => ({
          kind: 'connection',
          name: connectionName(id),
          spot: { kind: 'buckets', connectionId: id },
        }));
      case 'buckets':
        return (buckets.data?.buckets ?? []).map(({ name }) => ({
          kind: 'bucket',
          name,
          spot: { kind: 'folder', place: { connectionId: spot.connectionId, bucket: name, folder: '' } },
        }));
      case 'folder':
        // Some services list a folder on two pages.
        return [...new Set((pages ?? []).flatMap(({ commonPrefixes }) => commonPrefixes))].map(
          (prefix): TargetEntry => ({
            kind: 'folder',
            name: lastSegment(prefix),
            spot: { kind: 'folder', place: { ...spot.place, folder: prefix } },
          }),
        );
      default:
        return spot satisfies never;
    }
  }, [spot, connections.data, buckets.data, pages, connectionName]);
  const active = isFolder ? folders : spot.kind === 'buckets' ? buckets : connections;
  const denied = spot.kind === 'buckets' ? (buckets.data?.error ?? null) : null;
  const failed = active.error === null || active.isFetching ? null : appErrorOf(active.error);
  return {
    entries,
    isPending: active.isPending,
    error: failed ?? (entries.length === 0 ? denied : null),
    hasMore: isFolder && folders.hasNextPage,
    isFetching: active.isFetching,
    more: () => void folders.fetchNextPage({ cancelRefetch: false }),
    retry: () => void active.refetch(),
  };
}
