import { useCallback, useEffect, useRef, useState } from 'react';
import { rpc } from '../../rpc/client.ts';

const viewName = 'connections.expanded';

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

/** A tree that starts closed is no loss, so a failure is an empty answer; a core that is gone is said elsewhere. */
async function storedIds(signal: AbortSignal): Promise<readonly string[]> {
  try {
    return idsIn(await rpc.view.get({ name: viewName }, { signal }));
  } catch {
    return [];
  }
}

/** Which connections are open in the tree; found again after a reload. */
export function useExpanded(currentId: string | null) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set());
  const [shownId, setShownId] = useState<string | null>(null);
  const changedByHand = useRef(false);

  useEffect(() => {
    const aborter = new AbortController();
    void storedIds(aborter.signal).then((ids) => {
      if (!changedByHand.current) setExpanded((now) => new Set([...now, ...ids]));
      return ids;
    });
    return () => aborter.abort();
  }, []);

  const toggle = useCallback((connectionId: string, open: boolean) => {
    changedByHand.current = true;
    setExpanded((now) => {
      if (now.has(connectionId) === open) return now;
      const next = new Set(now);
      if (open) next.add(connectionId);
      else next.delete(connectionId);
      rpc.view.set({ name: viewName, value: [...next] }).catch(() => undefined);
      return next;
    });
  }, []);

  // Going to a place shows where it is; once, so that it can be closed again.
  if (currentId !== shownId) {
    setShownId(currentId);
    if (currentId !== null && !expanded.has(currentId)) setExpanded(new Set([...expanded, currentId]));
  }

  return { expanded, toggle };
}
