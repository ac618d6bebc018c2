import { useQuery } from '@tanstack/react-query';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import { loadBatchOffers, openBatch, type ChosenForBatch } from '../../features/batches/index.ts';
import { useConnections } from '../../features/connections/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';

type OffersBatches = (connectionId: string) => boolean;

/** Returns a function that returns true if the service of a connection runs jobs on many objects (S3 Batch Operations). */
export function useBatchOffers(): OffersBatches {
  const connections = useConnections().data;
  const offering = useQuery({
    queryKey: ['batch-offers', connections],
    queryFn: async () => {
      const offersBatches = await loadBatchOffers();
      return new Set((connections ?? []).filter(offersBatches).map(({ id }) => id));
    },
    staleTime: Infinity,
  }).data;
  return (connectionId) => offering?.has(connectionId) === true;
}

/** Opens the dialog for a batch job on these objects, or says why none can be created. */
export function openBatchJob(request: ChosenForBatch, offers: OffersBatches): void {
  const why = batchRefusalOf(request, offers(request.connectionId));
  if (why === null) openBatch(request);
  else showNotice({ message: (say) => say(`entries.batches.${why}`) });
}

/** Returns the reason why no batch job can be created, or null if one can. */
function batchRefusalOf(
  { connectionId, items }: ChosenForBatch,
  isOffered: boolean,
): 'notHere' | 'nothing' | 'tooMany' | null {
  if (connectionId !== '' && !isOffered) return 'notHere';
  if (items.length === 0) return 'nothing';
  return items.length > maxSelectedItems ? 'tooMany' : null;
}
