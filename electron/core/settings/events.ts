import type { AppEvent } from '../../../shared/models/settings.ts';
import { parseS3Link } from '../../../shared/keys/s3-link.ts';
import type { WaitingLink } from '../../../shared/models/links.ts';
import type { Logger } from '../ports.ts';
import { backupNames } from '../store/backups.ts';
import type { CheckedDatabase } from '../store/open-kept.ts';

/** Reports changes to every open window. */
export interface EventHub {
  emit(event: AppEvent): void;
  /** Emits an event and replays it to later watchers. For events that occur before a window is open. */
  announce(event: AppEvent): void;
  /** Yields every event emitted after the call, in order, until the signal aborts. */
  watch(signal: AbortSignal | undefined): AsyncGenerator<AppEvent, void, void>;
  /** The number of current watchers. */
  readonly watchers: number;
}

export function createEventHub(): EventHub {
  const listeners = new Set<(event: AppEvent) => void>();
  const announced: AppEvent[] = [];
  const emit = (event: AppEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return {
    get watchers() {
      return listeners.size;
    },
    emit,
    announce: (event) => {
      announced.push(event);
      emit(event);
    },
    watch: (signal) => {
      // Subscribes before the first read, so that no event between the call and the loop is missed.
      const queue: AppEvent[] = [...announced];
      let wake: (() => void) | null = null;
      const listener = (event: AppEvent): void => {
        // A slow reader gets equal pending events only once.
        if (!queue.some((waiting) => sameEvent(waiting, event))) queue.push(event);
        wake?.();
      };
      const end = (): void => {
        listeners.delete(listener);
        wake?.();
      };
      if (signal?.aborted !== true) {
        listeners.add(listener);
        signal?.addEventListener('abort', end, { once: true });
      }
      return read();

      async function* read(): AsyncGenerator<AppEvent, void, void> {
        try {
          while (listeners.has(listener)) {
            const next = queue.shift();
            if (next !== undefined) {
              yield next;
              continue;
            }
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            wake = null;
          }
        } finally {
          listeners.delete(listener);
          signal?.removeEventListener('abort', end);
        }
      }
    },
  };
}

function sameEvent(a: AppEvent, b: AppEvent): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reports what opening the database found: damage, the loss of what an earlier run stored, or a restored backup. */
export function announceOpened(
  { setAsideAs, loss, restored }: CheckedDatabase,
  {
    dataDir,
    events,
    logger,
  }: { readonly dataDir: string; readonly events: EventHub; readonly logger: Logger },
): void {
  if (setAsideAs !== null) {
    logger.warn('The database was damaged. It was set aside, and a new one was created.', { setAsideAs });
    events.announce({ kind: 'set-aside', data: 'database', where: setAsideAs });
  }
  if (loss !== null) {
    const { found, expected } = loss;
    logger.warn('The database lacks what an earlier run stored.', { found, expected });
    events.announce({
      kind: 'older-data',
      found: { connections: found.connections, jobs: found.jobs },
      expected: { connections: expected.connections, jobs: expected.jobs },
      backup: backupNames(dataDir)[0] ?? null,
    });
  }
  if (restored !== null) {
    logger.warn(
      restored.error === null ? 'Restored a backup of the database.' : 'Could not restore a backup.',
      { ...restored },
    );
    events.announce({ kind: 'restored', ...restored });
  }
}

/**
 * The maximum number of waiting links, which is more than a user would open. Further ones, for example from a faulty program, are
 * dropped.
 */
const maxWaiting = 8;

export interface S3Links {
  /** Accepts a link from the command line or the system. Returns false if the text is not a link. Sends no request. */
  receive(text: string): boolean;
  take(): WaitingLink | null;
}

/** Queues links from outside until a window takes them and asks the user. */
export function createS3Links(deps: { readonly events: EventHub; readonly logger: Logger }): S3Links {
  const waiting: WaitingLink[] = [];
  return {
    receive: (text) => {
      const link = parseS3Link(text);
      if (link === null || waiting.length >= maxWaiting) {
        deps.logger.warn('Ignored a link: it is not an s3:// address, or too many links are waiting.');
        return false;
      }
      waiting.push(link);
      deps.events.emit({ kind: 'link-waiting' });
      return true;
    },
    take: () => waiting.shift() ?? null,
  };
}
