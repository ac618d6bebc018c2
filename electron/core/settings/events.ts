import type { AppEvent } from '../../../shared/models/settings.ts';

/** Tells every open window what changed. */
export interface EventHub {
  emit(event: AppEvent): void;
  /** Like emit, and told to later watchers too: what happened before any window was open. */
  announce(event: AppEvent): void;
  /** Everything emitted from now on, in order, until the signal aborts. */
  watch(signal: AbortSignal | undefined): AsyncGenerator<AppEvent, void, void>;
  /** How many watch now. */
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
      // Subscribed at once and not when first read: nothing between the call and the loop is missed.
      const queue: AppEvent[] = [...announced];
      let wake: (() => void) | null = null;
      const listener = (event: AppEvent): void => {
        // A window that is slow to read needs to hear of a change once.
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
