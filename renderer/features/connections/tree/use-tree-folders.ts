import {
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { nodeId, wayTo, type FolderNode, type FoldersState } from '../model/tree-folders.ts';

/** The known folders of a node. */
interface Known {
  /** `branch`: only those on the path to shown places; `listed`: all, as far as they were listed. */
  readonly kind: 'branch' | 'listed';
  readonly prefixes: readonly string[];
  /** The token of the next page; null: there is none, or nothing was listed. */
  readonly next: string | null;
}

/** Number of a node's folders to render at first, and to add on each request. */
const step = 200;

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
  readonly isWanted: boolean;
  readonly shown: number;
}

function stateOf({ data, error, isFetching, isWanted, shown }: Result): FoldersState {
  if (data?.kind === 'listed') {
    const { prefixes, next } = data;
    // Sorted naturally once all are loaded; before that in the service's order.
    const ordered =
      next === null ? prefixes.toSorted(new Intl.Collator(undefined, { numeric: true }).compare) : prefixes;
    return {
      kind: 'known',
      prefixes: ordered.slice(0, shown),
      rest: prefixes.length > shown ? 'more' : next === null ? null : 'unread',
    };
  }
  const failed = error === null || isFetching ? null : appErrorOf(error);
  const prefixes = data?.prefixes ?? [];
  if (!isWanted) return { kind: 'branch', prefixes, rest: 'unread' };
  if (prefixes.length > 0) return { kind: 'branch', prefixes, rest: failed === null ? 'loading' : 'failed' };
  return failed === null ? { kind: 'loading' } : { kind: 'failed', error: failed };
}

export interface TreeFolders {
  readonly states: ReadonlyMap<string, FoldersState>;
  /** Shows more folders of a node and requests the service's next page if none is left; retries after a failure. */
  readonly more: (node: FolderNode) => void;
}

/** Returns the listed folders directly below a place, as far as its first page goes; null for no place. Shares the tree's listing. */
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
 * Returns the folders below the open nodes of the tree, loaded page by page; for those of `unlisted` only what is known without a
 * request.
 */
export function useTreeFolders(
  nodes: readonly FolderNode[],
  unlisted: ReadonlySet<string> = none,
): TreeFolders {
  const queries = useQueryClient();
  const [shownOf, setShown] = useState<ReadonlyMap<string, number>>(() => new Map());
  const states = useQueries({
    queries: nodes.map((node) => ({
      queryKey: keyOf(node),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => listPage(node, null, signal),
      enabled: !unlisted.has(nodeId(node)),
      // Listed again if opened after a while, or at once if the user opens a node that was only revealed.
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
            const isWanted = !unlisted.has(id);
            return [[id, stateOf({ data, error, isFetching, isWanted, shown: shownOf.get(id) ?? step })]];
          }),
        ),
      [nodes, unlisted, shownOf],
    ),
  });
  const more = (node: FolderNode): void => {
    const id = nodeId(node);
    const known = queries.getQueryData<Known>(keyOf(node));
    if (known?.kind !== 'listed') {
      void queries.refetchQueries({ queryKey: keyOf(node), exact: true });
      return;
    }
    const shown = shownOf.get(id) ?? step;
    const show = (): void => {
      setShown((now) => new Map([...now, [id, shown + step]]));
    };
    if (known.next === null || known.prefixes.length > shown) {
      show();
      return;
    }
    sayingFailure(async () => {
      // A page may hold objects alone: the next ones are read until a folder appears.
      let { prefixes, next } = known;
      while (next !== null && prefixes.length === known.prefixes.length) {
        const page = await listPage(node, next);
        next = page.next;
        prefixes = [...new Set([...prefixes, ...page.prefixes])];
      }
      queries.setQueryData<Known>(keyOf(node), (now) =>
        // The node was listed again meanwhile, so these pages no longer follow.
        now?.next === known.next ? { kind: 'listed', prefixes, next } : now,
      );
      show();
    });
  };
  return { states, more };
}

/** Folders on the path to the place are known without a request. */
export function rememberWay(queries: QueryClient, place: FolderNode): void {
  for (const { node, child } of wayTo(place))
    queries.setQueryData<Known>(keyOf(node), (now = { kind: 'branch', prefixes: [], next: null }) =>
      now.kind === 'listed' || now.prefixes.includes(child)
        ? now
        : { ...now, prefixes: [...now.prefixes, child] },
    );
}

/** Takes the first page of a level listed by a pane, unless the tree lists that level itself. */
export function rememberListed(
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

/** Forgets the folders of a connection that was removed or changed. Expanded nodes are listed again. */
export function forgetTree(queries: QueryClient, connectionId: string): void {
  void queries.resetQueries({ queryKey: ['tree', connectionId] });
}
