import { useQueries, useQueryClient, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { useTranslation } from 'react-i18next';
import { nodeId, type FolderNode, type FoldersState } from '../model/tree-folders.ts';

/** The folders of a node as far as they were listed, and where the next page begins; null: there is none. */
interface Listed {
  readonly prefixes: readonly string[];
  readonly next: string | null;
}

/** So many folders of a node are drawn, and so many more with each wish. */
const step = 200;

async function listPage(
  { connectionId, bucket, prefix }: FolderNode,
  pageToken: string | null,
  signal?: AbortSignal,
): Promise<Listed> {
  const input = { connectionId, bucket, prefix, delimiter: '/' as const, pageToken };
  const page = await rpc.objects.list(input, signal === undefined ? {} : { signal });
  return { prefixes: page.commonPrefixes, next: page.nextPageToken };
}

const keyOf = ({ connectionId, bucket, prefix }: FolderNode) =>
  ['tree', connectionId, bucket, prefix] as const;

function stateOf(data: Listed | undefined, error: Error | null, shown: number): FoldersState {
  if (data !== undefined) {
    const { prefixes, next } = data;
    // As people count, once all are there; before that as the service has them.
    const ordered =
      next === null ? prefixes.toSorted(new Intl.Collator(undefined, { numeric: true }).compare) : prefixes;
    return {
      kind: 'known',
      prefixes: ordered.slice(0, shown),
      hasMore: next !== null || prefixes.length > shown,
    };
  }
  return error === null ? { kind: 'loading' } : { kind: 'failed', error: appErrorOf(error) };
}

export interface TreeFolders {
  readonly states: ReadonlyMap<string, FoldersState>;
  /** Shows more folders of a node, asking the service for its next page where none is left; or asks again after a failure. */
  readonly more: (node: FolderNode) => void;
}

/** The folders below the open nodes of the tree, a page at a time. */
export function useTreeFolders(nodes: readonly FolderNode[]): TreeFolders {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [shownOf, setShown] = useState<ReadonlyMap<string, number>>(() => new Map());
  const states = useQueries({
    queries: nodes.map((node) => ({
      queryKey: keyOf(node),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => listPage(node, null, signal),
      // Opened again after a while, it is listed again.
      staleTime: 30_000,
    })),
    combine: useCallback(
      (results: readonly Pick<UseQueryResult<Listed>, 'data' | 'error' | 'isFetching'>[]) =>
        new Map(
          results.flatMap(({ data, error, isFetching }, index): [string, FoldersState][] => {
            const node = nodes[index];
            if (node === undefined) return [];
            const id = nodeId(node);
            return [[id, stateOf(data, isFetching ? null : error, shownOf.get(id) ?? step)]];
          }),
        ),
      [nodes, shownOf],
    ),
  });
  const more = (node: FolderNode): void => {
    const id = nodeId(node);
    const known = queries.getQueryData<Listed>(keyOf(node));
    if (known === undefined) {
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
    sayingFailure(t, async () => {
      const page = await listPage(node, known.next);
      queries.setQueryData<Listed>(keyOf(node), (now) =>
        // Listed anew meanwhile: the page is not the next one any more.
        now?.next === known.next
          ? { prefixes: [...new Set([...now.prefixes, ...page.prefixes])], next: page.next }
          : now,
      );
      show();
    });
  };
  return { states, more };
}

/** Lists the folders of a bucket in the tree again: something was changed there. */
export function refreshTree(
  queries: QueryClient,
  { connectionId, bucket }: Pick<FolderNode, 'connectionId' | 'bucket'>,
): void {
  void queries.invalidateQueries({ queryKey: ['tree', connectionId, bucket] });
}
