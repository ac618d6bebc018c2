import { useEffect, useMemo } from 'react';
import { z } from 'zod/mini';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { CurrentPlace } from '../model/connection-places.ts';
import { nodeId, wayTo } from '../model/tree-folders.ts';

const idsSchema = z.array(z.string());
const none: string[] = [];
/** Nodes beyond this number close with the next reload, the oldest first: each open node is listed at the start. */
const maxKept = 100;

/** The nodes revealed since the window has loaded: the folders on the way to their places are known without a request. */
const revealedHere = new Set<string>();

export interface Expanded {
  readonly expanded: ReadonlySet<string>;
  /** The ids that opened only to reveal a place: their folders have not been requested. */
  readonly revealed: ReadonlySet<string>;
  readonly toggle: (id: string, open: boolean) => void;
}

/** The connection and place revealed last. The tree of a narrow window unmounts with its drawer, and reveals each place once. */
let followed: { readonly connectionId: string; readonly id: string } | null = null;

/**
 * Tracks which connections, buckets and folders are expanded. Both those that the user expanded and those that opened for a place
 * are restored after a reload.
 */
export function useExpanded(current: CurrentPlace | null): Expanded {
  const byHand = useKeptView('connections.expanded', idsSchema, none);
  const opened = useKeptView('connections.revealed', idsSchema, none);
  const isKnown = byHand.isSettled && opened.isSettled;

  const { reveal, toggle } = useStable({
    /** Opens the connection of a place and all parents of its folder, once, so that they can be collapsed again. */
    reveal: ({ connectionId, bucket, prefix = '' }: CurrentPlace): void => {
      const isOther = followed?.connectionId !== connectionId;
      if (isOther && !byHand.value.includes(connectionId)) byHand.set([...byHand.value, connectionId]);
      const way = bucket === null ? [] : wayTo({ connectionId, bucket, prefix });
      const open = new Set([...byHand.value, ...opened.value]);
      const closed = way.map(({ node }) => nodeId(node)).filter((id) => !open.has(id));
      for (const id of closed) revealedHere.add(id);
      if (closed.length > 0) opened.set([...opened.value, ...closed].slice(-maxKept));
    },
    toggle: (id: string, open: boolean): void => {
      if (opened.value.includes(id)) opened.set(opened.value.filter((openId) => openId !== id));
      if (byHand.value.includes(id) === open) return;
      byHand.set(open ? [...byHand.value, id] : byHand.value.filter((openId) => openId !== id));
    },
  });

  const id = current === null ? null : JSON.stringify([current.connectionId, current.bucket, current.prefix]);
  useEffect(() => {
    if (!isKnown || current === null || id === null || id === followed?.id) return;
    reveal(current);
    followed = { connectionId: current.connectionId, id };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the id is the place
  }, [isKnown, id, reveal]);

  return {
    expanded: useMemo(() => new Set([...byHand.value, ...opened.value]), [byHand.value, opened.value]),
    revealed: useMemo(
      () =>
        new Set(opened.value.filter((openId) => revealedHere.has(openId) && !byHand.value.includes(openId))),
      [byHand.value, opened.value],
    ),
    toggle,
  };
}
