import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { AwsProfile, Connection, ConnectionInput } from '../../../../shared/models/connection.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { sayingFailure, useFailureToast } from '../../../rpc/say-failure.ts';
import { type NoticeMessage, showNotice } from '../../../ui/notices/notices.tsx';
import { saveText } from '../../../rpc/save-file.ts';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import { AllBucketLists, bucketsStateOf, type BucketListing, type BucketResult } from './all-bucket-lists.ts';
import { bucketTotals, type BucketTotals } from './bucket-filter.ts';
import { closeRemovalOf, openConnectionDialog } from './connection-dialog-store.ts';
import type { BucketsState } from './tree-model.ts';

export function useConnections() {
  return useQuery(orpc.connections.list.queryOptions());
}

/** Reads the profiles in ~/.aws. Caches them for a few seconds only, since other tools write them. */
export function useProfiles(enabled = true) {
  return useQuery(orpc.connections.awsProfiles.queryOptions({ enabled, staleTime: 5000 }));
}

export function useProfile(name: string | null): AwsProfile | null {
  return useProfiles(name !== null).data?.find((profile) => profile.name === name) ?? null;
}

const bucketsStaleMs = 5 * 60_000;
const bucketsQuery = (connectionId: string) =>
  orpc.buckets.list.queryOptions({ input: { connectionId }, staleTime: bucketsStaleMs, retry: false });

export function useBucketList(connectionId: string) {
  return useQuery(bucketsQuery(connectionId));
}

/** Returns the buckets of the given connections, which must be memoized. Lists a connection's buckets on first use. */
export function useBucketStates(connectionIds: readonly string[]): ReadonlyMap<string, BucketsState> {
  const queries = useMemo(() => connectionIds.map((id) => bucketsQuery(id)), [connectionIds]);
  // Combines again only after a change, so that what is derived from the map can be memoized.
  const combine = useCallback(
    (results: readonly BucketResult[]) =>
      new Map(
        results.flatMap((result, index): [string, BucketsState][] => {
          const id = connectionIds[index];
          return id === undefined ? [] : [[id, bucketsStateOf(result)]];
        }),
      ),
    [connectionIds],
  );
  return useQueries({ queries, combine });
}

const listing: BucketListing = {
  allKey: orpc.buckets.list.key(),
  staleMs: bucketsStaleMs,
  queryOf: bucketsQuery,
};
/** The lists of each array of connections, shared by all users of the array. */
const allLists = new WeakMap<readonly Connection[], AllBucketLists>();

/**
 * Returns the buckets of all connections. Lists some connections at a time, and gives up the others when the last user of this
 * hook is gone. A connection without a state has not been listed yet.
 */
export function useAllBucketStates(connections: readonly Connection[]): ReadonlyMap<string, BucketsState> {
  const client = useQueryClient();
  let lists = allLists.get(connections);
  if (lists === undefined) {
    lists = new AllBucketLists(
      client,
      connections.map(({ id }) => id),
      listing,
    );
    allLists.set(connections, lists);
  }
  return useSyncExternalStore(lists.subscribe, lists.states);
}

/**
 * Lists a connection's buckets again if the current bucket is missing, since another program may have created it. Does this once
 * per bucket, since the bucket may not exist at all.
 */
export function useUnlistedBucket(
  current: { readonly connectionId: string; readonly bucket?: string | null } | null,
  lists: ReadonlyMap<string, BucketsState>,
): void {
  const client = useQueryClient();
  const checkedBuckets = useRef(new Set<string>());
  const { connectionId = null, bucket = null } = current ?? {};
  const list = connectionId === null ? undefined : lists.get(connectionId);
  const isUnlisted =
    bucket !== null &&
    list?.kind === 'known' &&
    list.error === null &&
    !list.buckets.some((listed) => listed.name === bucket);
  useEffect(() => {
    if (!isUnlisted || connectionId === null) return;
    const id = JSON.stringify([connectionId, bucket]);
    if (checkedBuckets.current.has(id)) return;
    checkedBuckets.current.add(id);
    void client.invalidateQueries({ queryKey: bucketsQuery(connectionId).queryKey });
  }, [client, isUnlisted, connectionId, bucket]);
}

/**
 * Returns the totals of a connection's completely counted buckets. Refetches them on each use, since a map may have counted more
 * buckets.
 */
export function useBucketTotals(connectionId: string): ReadonlyMap<string, BucketTotals> {
  const walks = useQuery(orpc.walks.list.queryOptions({ staleTime: 0 })).data;
  const counted = useQuery(orpc.map.totals.queryOptions({ input: { connectionId }, staleTime: 0 })).data;
  return useMemo(
    () => bucketTotals(walks ?? [], counted ?? [], connectionId),
    [walks, counted, connectionId],
  );
}

export function useSaveConnection() {
  const client = useQueryClient();
  return useLatestMutation({
    mutationFn: ({ connectionId, input }: { connectionId: string | null; input: ConnectionInput }) =>
      connectionId === null ? rpc.connections.create(input) : rpc.connections.update({ connectionId, input }),
    async onSuccess(saved) {
      await client.invalidateQueries({ queryKey: orpc.connections.list.key() });
      // The new access keys may list other buckets.
      await client.resetQueries({ queryKey: bucketsQuery(saved.id).queryKey });
    },
  });
}

/** Fetches the address of the sample service. Never caches it, since the port changes after a restart. */
export function useSampleService(enabled = true) {
  return useQuery(orpc.connections.sampleService.queryOptions({ staleTime: 0, retry: false, enabled }));
}

const actionFailed: NoticeMessage = (say) => say('connections.actionFailed');

/** Returns the actions on connections for menus and keys. Shows failures as notices. */
export function useConnectionActions() {
  const client = useQueryClient();
  const onError = useFailureToast(actionFailed);
  const listKey = orpc.connections.list.queryKey();
  const refetchList = () => client.invalidateQueries({ queryKey: listKey });
  const remove = useLatestMutation({
    mutationFn: (connectionId: string) => rpc.connections.remove({ connectionId }),
    // Handles the result here, since the menu or dialog that started the action may be closed.
    onSuccess: async (_nothing, connectionId) => {
      closeRemovalOf(connectionId);
      await refetchList();
    },
    onError,
  });
  const duplicate = useLatestMutation({
    mutationFn: (connectionId: string) => rpc.connections.duplicate({ connectionId }),
    onSuccess: async (copy) => {
      await refetchList();
      openConnectionDialog({ mode: 'edit', connectionId: copy.id });
    },
    onError,
  });
  const restoreSamples = useLatestMutation({
    mutationFn: () => rpc.connections.restoreSamples(),
    onSuccess: refetchList,
    onError,
  });
  const reorder = useLatestMutation({
    mutationFn: (connectionIds: readonly string[]) =>
      rpc.connections.reorder({ connectionIds: [...connectionIds] }),
    // Updates optimistically. The core's response then replaces the order.
    onMutate(ids) {
      client.setQueryData(listKey, (now: Connection[] | undefined) =>
        now?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
      );
    },
    onError,
    onSettled: refetchList,
  });
  // Does not refetch. The core announces the change by an event, which reloads the lists (rpc/app-events.ts).
  const rememberBucket = useLatestMutation({
    mutationFn: (place: { connectionId: string; bucket: string }) => rpc.buckets.remember(place),
    onError,
  });
  const forgetBucket = useLatestMutation({
    mutationFn: (place: { connectionId: string; bucket: string }) => rpc.buckets.forget(place),
    onError,
  });
  const reloadBuckets = (connectionId: string) =>
    client.resetQueries({ queryKey: bucketsQuery(connectionId).queryKey });
  return { remove, duplicate, restoreSamples, reorder, rememberBucket, forgetBucket, reloadBuckets };
}

/** Returns a function for the name of a connection. The names of samples are translated; other names are the user's. */
export function useConnectionName(): (connection: Connection) => string {
  const { t } = useTranslation();
  return useCallback(({ builtIn, name }) => (builtIn ? t('connections.samples') : name), [t]);
}

/** Returns a function for the name of a connection by its id. It returns a placeholder until the connections are known. */
export function useConnectionNameById(): (connectionId: string) => string {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const connections = useConnections().data;
  return (connectionId) => {
    const connection = connections?.find(({ id }) => id === connectionId);
    return connection === undefined ? t('common.loading') : nameOf(connection);
  };
}

/** Saves all connections without their secrets as a file. */
export function exportConnections(): void {
  sayingFailure(async () => {
    const { fileName, text, count } = await rpc.connections.exportFile();
    if (count === 0) {
      showNotice({ message: (say) => say('connections.file.nothing') });
      return;
    }
    if (!(await saveText(fileName, text, 'application/json'))) return;
    showNotice({
      title: (say) => say('connections.file.exported', { count }),
      message: (say) => say('connections.file.exportedBody'),
    });
  });
}
