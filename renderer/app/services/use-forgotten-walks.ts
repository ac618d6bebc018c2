import { useEffect, useRef } from 'react';
import { rpc } from '../../rpc/client.ts';
import type { Navigation } from '../places/navigation.ts';
import { walksOf } from './walks-of.ts';

/** Closes a search's walk in the core when no tab shows it. */
export function useForgottenWalks(navigation: Navigation): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = walksOf(navigation);
    for (const walkId of before.current) {
      // It may be closed already, which needs no handling.
      if (!now.has(walkId)) rpc.walks.close({ walkId }).catch(() => undefined);
    }
    before.current = now;
  }, [navigation]);
}
