import type { QueryClient } from '@tanstack/react-query';
import type { Place } from '../../../shared/models/objects.ts';

/** Lists of versions in a bucket begin again at their first page: something has changed there. */
export function refreshVersions(queries: QueryClient, { connectionId, bucket }: Place): void {
  void queries.resetQueries({ queryKey: ['versions', connectionId, bucket] });
}
