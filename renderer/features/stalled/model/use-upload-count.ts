import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../../rpc/client.ts';
import type { UploadsWhere } from './list-query.ts';

export interface UploadCount {
  readonly count: number;
  /** False if counting stopped early and there are more uploads. */
  readonly isComplete: boolean;
}

/** Returns the number of stalled uploads for the sidebar. Null while it is unknown, or if it cannot be counted. */
export function useUploadCount(where: UploadsWhere, refreshSignal: number): UploadCount | null {
  const client = useQueryClient();
  const input = { connectionId: where.connectionId, bucket: where.bucket, prefix: where.prefix };
  const count = useQuery(orpc.stalled.count.queryOptions({ input, staleTime: 60_000 }));
  useEffect(() => {
    if (refreshSignal > 0) void client.invalidateQueries({ queryKey: orpc.stalled.count.key() });
  }, [client, refreshSignal]);
  return count.data ?? null;
}
