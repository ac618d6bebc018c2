import type { QueryClient } from '@tanstack/react-query';
import type { Place } from '../../../shared/models/objects.ts';

/** Restarts the version lists of a bucket at their first page after a change. */
export function refreshVersions(queries: QueryClient, { connectionId, bucket }: Place): void {
  void queries.resetQueries({ queryKey: ['versions', connectionId, bucket] });
}
