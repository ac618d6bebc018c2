import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { RangeSource } from './range-source.ts';

/** Reads all bytes of a file, or its first ones, for viewers that need them together. */
export function useWhole(source: RangeSource, mostBytes: number = source.sizeBytes) {
  const id = useId();
  return useQuery({
    queryKey: ['viewer-bytes', id, mostBytes],
    queryFn: async ({ signal }) => await source.read(0, Math.min(mostBytes, source.sizeBytes), signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
}
