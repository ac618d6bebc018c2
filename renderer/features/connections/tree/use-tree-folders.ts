import {
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { nodeId, pathNodesTo, type FolderNode, type FoldersState } from '../model/tree-folders.ts';

/** The known folders of a node. */
interface Known {
  /** `branch` contains only folders on the way to a location, `listed` all folders on the pages listed so far. */
  readonly kind: 'branch' | 'listed';
  readonly prefixes: readonly string[];
  /** The token of the next page, or null at the end or if nothing was listed. */
  readonly next: string | null;
}

/** Number of a node's folders to render at first, and to add on each request. */
const foldersPerStep = 200;
/**
 * Maximum number of pages listed for one request of the user, since a folder may have millions of objects but no further folder.
 */
const maxPagesAtOnce = 10;

async function listPage(
  { connectionId, bucket, prefix }: FolderNode,
  pageToken: string | null,
  signal?: AbortSignal,
): Promise<Known> {
  const input = { connectionId, bucket, prefix, delimiter: '/' as const, pageToken };
  const page = await rpc.objects.list(input, signal === undefined ? {} : { signal });
  return { kind: 'listed', prefixes: page.commonPrefixes, next: page.nextPageToken };
}

const keyOf = ({ connectionId, bucket, prefix }: FolderNode) =>
  ['tree', connectionId, bucket, prefix] as const;

interface Result extends Pick<UseQueryResult<Known>, 'data' | 'error' | 'isFetching'> {
  readonly isRequested: boolean;
  readonly shown: number;
  readonly isLooking: boolean;
  /** The page token at which the last search for folders gave up. Undefined if it found a folder, or before a search. */
  readonly gaveUpAt: string | undefined;
}

function stateOf({ data, error, isFetching, isRequested, shown, ...look }: Result): FoldersState {
  if (data?.kind === 'listed') {
    const { prefixes, next } = data;
    const unread = look.isLooking ? 'looking' : look.gaveUpAt === next ? 'none-yet' : 'unread';
    // Sorts naturally once all folders are loaded. Until then, keeps the service's order.
    const ordered =
      next === null ? prefixes.toSorted(new Intl.Collator(undefined, { numeric: true }).compare) : prefixes;
    return {
      kind: 'known',
      prefixes: ordered.slice(0, shown),
      rest: prefixes.length > shown ? 'more' : next === null ? null : unread,
    };
  }
  const failed = error === null || isFetching ? null : appErrorOf(error);
  const prefixes = data?.prefixes ?? [];
  if (!isRequested) return { kind: 'branch', prefixes, rest: 'unread' };
  if (prefixes.length > 0) return { kind: 'branch', prefixes, rest: failed === null ? 'loading' : 'failed' };
  return failed === null ? { kind: 'loading' } : { kind: 'failed', error: failed };
}

/** Returns the folders directly below a location that are listed so far, and requests its first page. Shares the tree's cache. */
export function useFoldersBelow(node: FolderNode | null): readonly string[] {
  const { data } = useQuery({
    queryKey: node === null ? ['tree'] : keyOf(node),
    queryFn: ({ signal }) => (node === null ? noFolders : listPage(node, null, signal)),
    enabled: node !== null,
    staleTime: ({ state }) => (state.data?.kind === 'branch' ? 0 : 30_000),
  });
  return node === null ? noFolders.prefixes : (data?.prefixes ?? []);
}

const noFolders: Known = { kind: 'listed', prefixes: [], next: null };
const none: ReadonlySet<string> = new Set();

/**
 * Returns the folders below the open nodes in the tree, which load page by page. Sends no requests for the nodes in `unlisted`.
 */
export function useTreeFolders(nodes: readonly FolderNode[], unlisted: ReadonlySet<string> = none) {
  const queries = useQueryClient();
  const [shownOf, setShown] = useState<ReadonlyMap<string, number>>(() => new Map());
  const [looking, setLooking] = useState<ReadonlyMap<string, AbortController>>(() => new Map());
  const [gaveUp, setGaveUp] = useState<ReadonlyMap<string, string>>(() => new Map());
  useAbortClosedNodes(nodes, looking);
  const states = useQueries({
    queries: nodes.map((node) => ({
      queryKey: keyOf(node),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => listPage(node, null, signal),
      enabled: !unlisted.has(nodeId(node)),
      // Lists a node again when it is opened after a while, or when the user opens a node that was only revealed.
      staleTime: ({ state }: { readonly state: { readonly data?: Known | undefined } }) =>
        state.data?.kind === 'branch' ? 0 : 30_000,
    })),
    combine: useCallback(
      (results: readonly Pick<UseQueryResult<Known>, 'data' | 'error' | 'isFetching'>[]) =>
        new Map(
          results.flatMap(({ data, error, isFetching }, index): [string, FoldersState][] => {
            const node = nodes[index];
            if (node === undefined) return [];
            const id = nodeId(node);
            const isRequested = !unlisted.has(id);
            const shown = shownOf.get(id) ?? foldersPerStep;
            const look = { isLooking: looking.has(id), gaveUpAt: gaveUp.get(id) };
            return [[id, stateOf({ data, error, isFetching, isRequested, shown, ...look })]];
          }),
        ),
      [nodes, unlisted, shownOf, looking, gaveUp],
    ),
  });
  /**
   * Shows more folders of a node. Lists the service's next pages if all known folders are shown, or stops this listing if it is
   * in progress. Retries after a failure.
   */
  const more = (node: FolderNode): void => {
    const id = nodeId(node);
    const known = queries.getQueryData<Known>(keyOf(node));
    if (known?.kind !== 'listed') {
      void queries.refetchQueries({ queryKey: keyOf(node), exact: true });
      return;
    }
    const running = looking.get(id);
    if (running !== undefined) {
      running.abort();
      return;
    }
    const shown = shownOf.get(id) ?? foldersPerStep;
    const show = (): void => setShown((now) => new Map([...now, [id, shown + foldersPerStep]]));
    if (known.next === null || known.prefixes.length > shown) {
      show();
      return;
    }
    const stopped = new AbortController();
    setLooking((now) => new Map([...now, [id, stopped]]));
    sayingFailure(async () => {
      try {
        const at = await listUntilFolder(queries, node, known, stopped.signal);
        if (at !== null) setGaveUp((now) => new Map([...now, [id, at]]));
        else show();
      } finally {
        setLooking((now) => new Map([...now].filter(([of]) => of !== id)));
      }
    });
  };
  return { states, more };
}

/**
 * Lists a node's next pages until one contains a further folder. Stores each page as it arrives. Returns the next page token if
 * it reached the limit or was aborted, or null if it found a folder, reached the end, or the node was listed again.
 */
async function listUntilFolder(
  queries: QueryClient,
  node: FolderNode,
  known: Known,
  signal: AbortSignal,
): Promise<string | null> {
  let { prefixes, next } = known;
  for (let pages = 0; next !== null && prefixes.length === known.prefixes.length; pages += 1) {
    if (pages === maxPagesAtOnce || signal.aborted) return next;
    const at: string = next;
    const page = await listPage(node, at, signal).catch((thrown: unknown) => {
      if (signal.aborted) return null;
      throw thrown;
    });
    if (page === null) return at;
    if (queries.getQueryData<Known>(keyOf(node))?.next !== at) return null;
    ({ next } = page);
    prefixes = [...new Set([...prefixes, ...page.prefixes])];
    queries.setQueryData<Known>(keyOf(node), { kind: 'listed', prefixes, next });
  }
  return null;
}

/** Stops listing further pages of nodes that were closed. */
function useAbortClosedNodes(
  nodes: readonly FolderNode[],
  looking: ReadonlyMap<string, AbortController>,
): void {
  const running = useRef(looking);
  useEffect(() => {
    running.current = looking;
    const open = new Set(nodes.map(nodeId));
    for (const [id, look] of looking) if (!open.has(id)) look.abort();
  }, [nodes, looking]);
  useEffect(
    () => () => {
      for (const look of running.current.values()) look.abort();
    },
    [],
  );
}

/** Stores the folders on the way to a location as known, without a request. */
export function cacheAncestors(queries: QueryClient, place: FolderNode): void {
  for (const { node, child } of pathNodesTo(place))
    queries.setQueryData<Known>(keyOf(node), (now = { kind: 'branch', prefixes: [], next: null }) =>
      now.kind === 'listed' || now.prefixes.includes(child)
        ? now
        : { ...now, prefixes: [...now.prefixes, child] },
    );
}

/** Stores the first page of a folder that a pane has listed, unless the tree itself shows this folder now. */
export function cacheListedFolders(
  queries: QueryClient,
  node: FolderNode,
  prefixes: readonly string[],
  next: string | null,
): void {
  const query = queries.getQueryCache().find<Known>({ queryKey: keyOf(node), exact: true });
  if (query?.isActive() !== true)
    queries.setQueryData<Known>(keyOf(node), { kind: 'listed', prefixes, next });
}

/** Lists the visible folders of a bucket in the tree again after a change. */
export function refreshTree(
  queries: QueryClient,
  { connectionId, bucket }: Pick<FolderNode, 'connectionId' | 'bucket'>,
): void {
  const queryKey = ['tree', connectionId, bucket];
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    if (query.isActive()) continue;
    const { data } = query.state as { readonly data?: Known };
    const node = { connectionId, bucket, prefix: String(query.queryKey[3]) };
    if (data?.kind === 'listed' && query.getObserversCount() > 0)
      void queries.prefetchQuery({
        queryKey: keyOf(node),
        queryFn: ({ signal }) => listPage(node, null, signal),
        staleTime: 0,
      });
    else query.reset();
  }
  void queries.invalidateQueries({ queryKey });
}

/** Forgets the folders of a connection that was removed or changed, and lists expanded nodes again. */
export function forgetTree(queries: QueryClient, connectionId: string): void {
  void queries.resetQueries({ queryKey: ['tree', connectionId] });
}
