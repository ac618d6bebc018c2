import { Archive, Folder, RefreshCw, Server } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
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

/** Returns the connection of a location below the list of connections. */
export function connectionIdOf(spot: Exclude<TargetSpot, { kind: 'connections' }>): string {
  return spot.kind === 'buckets' ? spot.connectionId : spot.place.connectionId;
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
  const connectionId = connectionIdOf(spot);
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

interface Props {
  readonly spot: TargetSpot;
  readonly connectionName: (connectionId: string) => string;
  readonly onGo: (spot: TargetSpot) => void;
  readonly onUp: () => void;
}

const icons = { connection: Server, bucket: Archive, folder: Folder } as const;

/** Returns the only column. The row `more` lists further folders. */
function columnOf(label: string, moreText: string): GridColumn<TargetEntry | 'more'> {
  return {
    id: 'name',
    label,
    width: 'minmax(0, 1fr)',
    cell: (entry) => {
      const Icon = entry === 'more' ? RefreshCw : icons[entry.kind];
      return (
        <span className={classes.place} data-kind={entry === 'more' ? undefined : entry.kind}>
          <Icon size={15} aria-hidden />
          <span>{entry === 'more' ? moreText : <KeyText name={entry.name} />}</span>
        </span>
      );
    },
  };
}

/** Lists the folders in a location. Enter opens a folder, Backspace goes up, letters find a name. */
export function TargetList({ spot, connectionName, onGo, onUp }: Props) {
  const { t } = useTranslation();
  const targets = useTargets(spot, connectionName);
  const { entries, hasMore } = targets;
  const [active, setActive] = useState(0);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Backspace' && !(event.altKey && event.key === 'ArrowUp')) return;
    event.preventDefault();
    onUp();
  };
  const note = targets.isPending
    ? t('operations.target.loading')
    : entries.length > 0 || hasMore
      ? null
      : t(spot.kind === 'folder' ? 'operations.target.none' : 'operations.target.noBuckets');
  const moreText = t(targets.isFetching ? 'operations.target.loading' : 'operations.target.more');
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
        columns={[columnOf(t('operations.target.kind'), moreText)]}
        hasHeader={false}
        rowCount={entries.length + (hasMore ? 1 : 0)}
        rowHeightPx={28}
        active={active}
        onActive={setActive}
        rowAt={(index) => entries[index] ?? 'more'}
        idOf={(entry) => (entry === 'more' ? entry : spotId(entry.spot))}
        names={() => entries.map(({ name }) => name)}
        onOpen={(entry) => {
          if (entry === 'more') targets.more();
          else onGo(entry.spot);
        }}
        onKey={onKey}
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
