import { useEffect, useMemo } from 'react';
import { z } from 'zod/mini';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { CurrentPlace } from '../model/connection-places.ts';
import { nodeId, pathNodesTo } from '../model/tree-folders.ts';

const idsSchema = z.array(z.string());
const none: string[] = [];
/**
 * Maximum number of open nodes kept for a reload, beyond which the oldest are dropped. Each open node costs a listing at the
 * start.
 */
const maxStoredNodes = 100;

/** The nodes opened since the window loaded to reveal a location. The folders on the way are known without a request. */
const revealedThisSession = new Set<string>();

/** The location revealed last. Kept outside React, since the tree unmounts with its drawer in a narrow window. */
let lastRevealed: { readonly connectionId: string; readonly id: string } | null = null;

/**
 * Tracks which connections, buckets and folders the user expanded, and which were expanded to reveal a location. Restores both
 * after a reload.
 */
export function useExpanded(current: CurrentPlace | null) {
  const byHand = useKeptView('connections.expanded', idsSchema, none);
  const opened = useKeptView('connections.revealed', idsSchema, none);
  const isKnown = byHand.isSettled && opened.isSettled;

  const { reveal, toggle } = useStable({
    /** Opens the connection and all parents of a location. Runs once per location, so that the user can collapse them again. */
    reveal: ({ connectionId, bucket, prefix = '' }: CurrentPlace): void => {
      const isOther = lastRevealed?.connectionId !== connectionId;
      if (isOther && !byHand.value.includes(connectionId)) byHand.set([...byHand.value, connectionId]);
      const pathNodes = bucket === null ? [] : pathNodesTo({ connectionId, bucket, prefix });
      const open = new Set([...byHand.value, ...opened.value]);
      const closed = pathNodes.map(({ node }) => nodeId(node)).filter((id) => !open.has(id));
      for (const id of closed) revealedThisSession.add(id);
      if (closed.length > 0) opened.set([...opened.value, ...closed].slice(-maxStoredNodes));
    },
    toggle: (id: string, open: boolean): void => {
      if (opened.value.includes(id)) opened.set(opened.value.filter((openId) => openId !== id));
      if (byHand.value.includes(id) === open) return;
      byHand.set(open ? [...byHand.value, id] : byHand.value.filter((openId) => openId !== id));
    },
  });

  const id = current === null ? null : JSON.stringify([current.connectionId, current.bucket, current.prefix]);
  useEffect(() => {
    if (!isKnown || current === null || id === null || id === lastRevealed?.id) return;
    reveal(current);
    lastRevealed = { connectionId: current.connectionId, id };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the id identifies the place
  }, [isKnown, id, reveal]);

  return {
    expanded: useMemo(() => new Set([...byHand.value, ...opened.value]), [byHand.value, opened.value]),
    /** The ids of nodes that were opened only to reveal a location. Their folders have not been requested. */
    revealed: useMemo(
      () =>
        new Set(
          opened.value.filter((openId) => revealedThisSession.has(openId) && !byHand.value.includes(openId)),
        ),
      [byHand.value, opened.value],
    ),
    toggle,
  };
}
