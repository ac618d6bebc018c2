import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { RangeSource } from './range-source.ts';

/** Reads a whole file, or its first bytes, for viewers that cannot read by ranges. */
export function useWhole(source: RangeSource, maxBytes: number = source.sizeBytes) {
  const id = useId();
  return useQuery({
    queryKey: ['viewer-bytes', id, maxBytes],
    queryFn: async ({ signal }) => await source.read(0, Math.min(maxBytes, source.sizeBytes), signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
}
