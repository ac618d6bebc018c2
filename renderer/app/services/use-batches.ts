import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { maxSelectedItems } from '../../../shared/models/selection-limit.ts';
import { loadBatchOffers, openBatch } from '../../features/batches/index.ts';
import { useConnections } from '../../features/connections/index.ts';
import type { FolderHandle } from '../../features/objects/index.ts';
import type { ChosenResults } from '../../features/search/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { downloadItemsOf } from '../commands/chosen-rows.ts';
import { connectionOf, type SearchWindowPlace, type WindowPlace } from '../places/places.ts';

interface Wish {
  readonly connectionId: string;
  readonly bucket: string;
  readonly items: readonly SelectionItem[];
  readonly count: number | null;
}

/**
 * Returns the functions for jobs that AWS runs (S3 Batch Operations), on the selection in a folder or on the results of a search.
 */
export function useBatches(place: WindowPlace, folder: RefObject<FolderHandle | null>) {
  const connections = useConnections().data;
  const offering = useQuery({
    queryKey: ['batch-offers', connections],
    queryFn: async () => {
      const { offersBatches } = await loadBatchOffers();
      return new Set((connections ?? []).filter(offersBatches).map(({ id }) => id));
    },
    staleTime: Infinity,
  }).data;
  const offers = (connectionId: string): boolean => offering?.has(connectionId) === true;
  const open = (wish: Wish): void => {
    const why = hindranceOf(wish, offers(wish.connectionId));
    if (why === null) openBatch(wish);
    else showNotice({ message: (say) => say(`entries.batches.${why}`) });
  };
  return useStable({
    offers,
    /** Acts on the selection in the visible folder. A search that supports batch jobs handles the command itself. */
    batchJob: () => {
      const rows = place.kind === 'folder' ? (folder.current?.selected() ?? []) : [];
      const connectionId = connectionOf(place) ?? '';
      const bucket = place.kind === 'folder' ? place.bucket : '';
      const hasFolder = rows.some(({ kind }) => kind === 'folder');
      open({ connectionId, bucket, items: downloadItemsOf(rows), count: hasFolder ? null : rows.length });
    },
    ofFound: ({ connectionId, bucket }: SearchWindowPlace, { items, count }: ChosenResults) => {
      open({ connectionId, bucket, items, count });
    },
  });
}

/** Returns the reason why no batch job can be created, or null if one can. */
function hindranceOf(
  { connectionId, items }: Wish,
  isOffered: boolean,
): 'notHere' | 'nothing' | 'tooMany' | null {
  if (connectionId !== '' && !isOffered) return 'notHere';
  if (items.length === 0) return 'nothing';
  return items.length > maxSelectedItems ? 'tooMany' : null;
}
