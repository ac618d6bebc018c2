import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import type { CurrentPlace } from '../model/connection-places.ts';
import { nodeId, wayTo } from '../model/tree-folders.ts';

const viewName = 'connections.expanded';

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}

/** Returns an empty list on failure: a collapsed tree is acceptable, and a lost core is reported elsewhere. */
async function storedIds(signal: AbortSignal): Promise<readonly string[]> {
  try {
    return idsIn(await rpc.view.get({ name: viewName }, { signal }));
  } catch {
    return [];
  }
}

export interface Expanded {
  readonly expanded: ReadonlySet<string>;
  /** The ids that opened only to reveal a place: their folders have not been requested. */
  readonly revealed: ReadonlySet<string>;
  readonly toggle: (id: string, open: boolean) => void;
}

/** Tracks which connections, buckets and folders are expanded; those expanded by the user are restored after a reload. */
export function useExpanded(current: CurrentPlace | null): Expanded {
  const currentId = current?.connectionId ?? null;
  const [followed, setFollowed] = useState<string | null>(null);
  const [byHand, setByHand] = useState<ReadonlySet<string>>(() => new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set());
  const [shownId, setShownId] = useState<string | null>(null);
  const changedByHand = useRef(false);

  useEffect(() => {
    const aborter = new AbortController();
    void storedIds(aborter.signal).then((ids) => {
      if (!changedByHand.current) setByHand((now) => new Set([...now, ...ids]));
      return ids;
    });
    return () => aborter.abort();
  }, []);

  const toggle = useCallback((id: string, open: boolean) => {
    changedByHand.current = true;
    setOpened((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : now));
    setByHand((now) => {
      if (now.has(id) === open) return now;
      const next = new Set(now);
      if (open) next.add(id);
      else next.delete(id);
      rpc.view.set({ name: viewName, value: [...next] }).catch(() => undefined);
      return next;
    });
  }, []);

  // Navigating to a place expands its connection once, so that it can be collapsed again.
  if (currentId !== shownId) {
    setShownId(currentId);
    if (currentId !== null && !byHand.has(currentId)) setByHand(new Set([...byHand, currentId]));
  }

  // All parents of the current folder are expanded with it.
  const place =
    current?.bucket === null || current?.bucket === undefined ? null : { ...current, bucket: current.bucket };
  const placeId = place === null ? null : nodeId({ ...place, prefix: place.prefix ?? '' });
  if (placeId !== followed) {
    setFollowed(placeId);
    const way = place === null ? [] : wayTo({ ...place, prefix: place.prefix ?? '' });
    const closed = way.map(({ node }) => nodeId(node)).filter((id) => !byHand.has(id) && !opened.has(id));
    if (closed.length > 0) setOpened(new Set([...opened, ...closed]));
  }

  return {
    expanded: useMemo(() => new Set([...byHand, ...opened]), [byHand, opened]),
    revealed: useMemo(() => new Set([...opened].filter((id) => !byHand.has(id))), [byHand, opened]),
    toggle,
  };
}
