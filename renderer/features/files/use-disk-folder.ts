import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { FileEntry, FolderListing } from '../../../shared/models/files.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { PickerSpot } from './picker-model.ts';

const pageSize = 500;

export interface DiskFolderView {
  readonly entries: readonly FileEntry[];
  readonly total: number;
  readonly trail: FolderListing['trail'];
  readonly isPending: boolean;
  readonly error: AppError | null;
  readonly more: () => void;
  readonly retry: () => void;
}

/** The entries of the roots or of a folder, read by pages as they come into sight. */
export function useDiskFolder(spot: PickerSpot, text: string): DiskFolderView {
  const roots = useQuery(orpc.files.roots.queryOptions({ enabled: spot.kind === 'roots', staleTime: 0 }));
  const handle = spot.kind === 'folder' ? spot.folder.handle : '';
  const listing = useInfiniteQuery({
    queryKey: ['files.list', handle, text],
    enabled: spot.kind === 'folder',
    // The disk changes without notice.
    staleTime: 0,
    gcTime: 0,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      rpc.files.list({ folderHandle: handle, offset: pageParam, limit: pageSize, text }, { signal }),
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.entries.length, 0);
      return last.entries.length === 0 || loaded >= last.total ? null : loaded;
    },
  });
  const pages = listing.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  const rootEntries = useMemo(
    () => (roots.data ?? []).filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    [roots.data, text],
  );
  if (spot.kind === 'roots')
    return {
      entries: rootEntries,
      total: rootEntries.length,
      trail: [],
      isPending: roots.isPending,
      error: roots.error === null ? null : appErrorOf(roots.error),
      more: () => undefined,
      retry: () => void roots.refetch(),
    };
  return {
    entries,
    total: entries.length,
    trail: pages?.[0]?.trail ?? [],
    isPending: listing.isPending,
    error: listing.error === null ? null : appErrorOf(listing.error),
    more: () => {
      if (listing.hasNextPage && !listing.isFetchingNextPage) void listing.fetchNextPage();
    },
    retry: () => void listing.refetch(),
  };
}
