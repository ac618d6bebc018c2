import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { assertNever } from '../../shared/assert-never.ts';
import type { AppEvent } from '../../shared/models/settings.ts';
import { showNotice } from '../ui/notices/notices.tsx';
import { coreLink, orpc, rpc, useCoreStatus } from './client.ts';
import { appErrorOf } from './errors.ts';
import { refreshAfterReconnect } from './query-client.ts';
import { sayFailure } from './say-failure.ts';

function apply(event: AppEvent, queries: QueryClient): void {
  switch (event.kind) {
    case 'connections-changed':
      void queries.invalidateQueries({ queryKey: orpc.connections.list.key() });
      return;
    case 'buckets-changed':
      void queries.invalidateQueries({
        queryKey: orpc.buckets.list.key({ input: { connectionId: event.connectionId } }),
      });
      return;
    case 'bookmarks-changed':
      void queries.invalidateQueries({ queryKey: orpc.bookmarks.list.key() });
      return;
    case 'set-aside':
      showNotice({
        tone: 'warning',
        staysMs: null,
        title: (say) => say(`common.setAside.${event.data}`),
        message: (say) => say(`common.setAside.${event.data}Where`, { where: event.where }),
      });
      return;
    case 'older-data':
      showOlderDataNotice(event);
      return;
    case 'restored':
      showRestoredNotice(event);
      return;
    case 'link-waiting':
      announceLink();
      return;
    case 'updates-changed':
      void queries.invalidateQueries({ queryKey: orpc.updates.key() });
      return;
    case 'edits-changed':
      void queries.invalidateQueries({ queryKey: orpc.edits.key() });
      return;
    case 'trouble':
      showNotice({
        tone: 'warning',
        staysMs: null,
        title: (say) => say('common.trouble.title'),
        message: (say) => say('common.trouble.body'),
      });
      return;
    case 'accent-changed':
      void queries.invalidateQueries({ queryKey: orpc.app.info.key() });
      return;
    case 'prices-changed':
      void queries.invalidateQueries({ queryKey: orpc.prices.key() });
      return;
    case 'settings-changed':
      void queries.invalidateQueries({ queryKey: orpc.settings.get.key() });
      return;
    default:
      assertNever(event);
  }
}

async function follow(queries: QueryClient, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of await rpc.app.watch(undefined, { signal })) apply(event, queries);
  } catch (thrown) {
    // A banner shows a lost connection, and the subscription is restarted after it. A closing window needs no report.
    const { code } = appErrorOf(thrown);
    if (code === 'internal' && coreLink.status().kind === 'ready' && !signal.aborted) throw thrown;
  }
}

/** Subscribes to the core's events and updates the window's queries. Use it once, in the window's root component. */
export function useAppEvents(): void {
  const queries = useQueryClient();
  const status = useCoreStatus();
  const generation = status.kind === 'ready' ? status.generation : 0;
  useEffect(() => {
    if (generation === 0) return undefined;
    if (generation > 1) refreshAfterReconnect(queries);
    const aborter = new AbortController();
    void follow(queries, aborter.signal);
    return () => aborter.abort();
  }, [generation, queries]);
}

type EventOf<Kind extends AppEvent['kind']> = Extract<AppEvent, { kind: Kind }>;

/** Says that stored data is missing, and offers to restore the newest backup. */
function showOlderDataNotice({ found, expected, backup }: EventOf<'older-data'>): void {
  const day = backup === null ? '' : dayOf(backup);
  showNotice({
    tone: 'warning',
    staysMs: null,
    title: (say) => say('common.olderData.title'),
    message: (say) =>
      [
        say('common.olderData.found', {
          connections: say('common.olderData.connections', { count: found.connections }),
          transfers: say('common.olderData.transfers', { count: found.jobs }),
        }),
        say('common.olderData.expected', {
          connections: say('common.olderData.connections', { count: expected.connections }),
          transfers: say('common.olderData.transfers', { count: expected.jobs }),
        }),
        say(backup === null ? 'common.olderData.noBackup' : 'common.olderData.backup', { day }),
      ].join('\n'),
    actions:
      backup === null
        ? []
        : [
            {
              label: (say) => say('common.olderData.restore', { day }),
              onClick: () => {
                restore(backup, day).catch((thrown: unknown) =>
                  sayFailure(thrown, (say) => say('common.olderData.notChosen')),
                );
              },
            },
          ],
  });
}

/** Reports the result of a backup restored at this start. */
function showRestoredNotice({ backup, keptAs, error }: EventOf<'restored'>): void {
  const day = dayOf(backup);
  showNotice({
    tone: error === null ? 'good' : 'bad',
    staysMs: null,
    title: (say) => say(error === null ? 'common.restored.title' : 'common.restored.failed', { day }),
    message: (say) =>
      error === null
        ? say(keptAs === null ? 'common.restored.body' : 'common.restored.bodyKept', { where: keptAs ?? '' })
        : say('common.restored.unchanged', { detail: error }),
  });
}

async function restore(name: string, day: string): Promise<void> {
  await rpc.app.restoreBackup({ name });
  showNotice({
    tone: 'good',
    staysMs: null,
    title: (say) => say('common.olderData.chosen', { day }),
    message: (say) => say('common.olderData.restart'),
  });
}

/** Returns the day in the name of a backup. */
function dayOf(backup: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(backup)?.[0] ?? backup;
}

const waiting = createStore<{ readonly count: number }>()(() => ({ count: 0 }));

/** Announces a link from another program. The first window that asks for the link gets it. */
function announceLink(): void {
  waiting.setState(({ count }) => ({ count: count + 1 }));
}

/** Calls the listener for each announced link until the returned function is called. */
export function onLinkWaiting(listener: () => void): () => void {
  return waiting.subscribe(listener);
}
