import { useCallback, useEffect, useRef, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import type { CurrentPlace } from '../model/connection-places.ts';
import { nodeId, nodesAbove } from '../model/tree-folders.ts';

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

/** Which connections, buckets and folders are open in the tree; found again after a reload. */
export function useExpanded(current: CurrentPlace | null) {
  const currentId = current?.connectionId ?? null;
  const [followed, setFollowed] = useState<string | null>(null);
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

  const toggle = useCallback((id: string, open: boolean) => {
    changedByHand.current = true;
    setExpanded((now) => {
      if (now.has(id) === open) return now;
      const next = new Set(now);
      if (open) next.add(id);
      else next.delete(id);
      rpc.view.set({ name: viewName, value: [...next] }).catch(() => undefined);
      return next;
    });
  }, []);

  // Going to a place shows where it is; once, so that it can be closed again.
  if (currentId !== shownId) {
    setShownId(currentId);
    if (currentId !== null && !expanded.has(currentId)) setExpanded(new Set([...expanded, currentId]));
  }

  // The folders above the one on the screen open with it, if its bucket is open.
  const place =
    current?.bucket === null || current?.bucket === undefined ? null : { ...current, bucket: current.bucket };
  const placeId = place === null ? null : nodeId({ ...place, prefix: place.prefix ?? '' });
  if (placeId !== followed) {
    setFollowed(placeId);
    const above = place === null ? [] : nodesAbove({ ...place, prefix: place.prefix ?? '' }, expanded);
    if (above.length > 0) setExpanded(new Set([...expanded, ...above]));
  }

  return { expanded, toggle };
}
