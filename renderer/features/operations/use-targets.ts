import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { spotId, type TargetSpot } from './target-spot.ts';

export interface TargetEntry {
  readonly kind: 'connection' | 'bucket' | 'folder';
  readonly name: string;
  readonly spot: TargetSpot;
}

export interface Targets {
  readonly entries: readonly TargetEntry[];
  readonly isPending: boolean;
  readonly error: AppError | null;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly more: () => void;
  readonly retry: () => void;
}

/** Lists the connections, buckets or folders in a location. Folders are listed page by page. */
export function useTargets(spot: TargetSpot, connectionName: (connectionId: string) => string): Targets {
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
