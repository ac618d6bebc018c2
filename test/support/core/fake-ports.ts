import { memorySecrets } from './memory-secrets.ts';
import type { Clock, Dialogs, Logger, Ports, Random, Secrets, Shell } from '../../../electron/core/ports.ts';

/** A clock that stops until the test advances it; sleepers wake when it passes them. */
export interface ManualClock extends Clock {
  /** Advances the clock by `byMs`, wakes the sleepers in order, and lets their work settle. */
  advance(byMs: number): Promise<void>;
  readonly sleepers: number;
}

async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

export function manualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let passedMs = 0;
  let sleeping: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    get sleepers() {
      return sleeping.length;
    },
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        const sleeper = { atMs: passedMs + delayMs, wake: resolve };
        sleeping.push(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleeping = sleeping.filter((other) => other !== sleeper);
            reject(signal.reason as Error);
          },
          { once: true },
        );
      }),
    advance: async (byMs) => {
      const untilMs = passedMs + byMs;
      await settle();
      for (;;) {
        const next = sleeping.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        sleeping = sleeping.filter((other) => other !== next);
        passedMs = Math.max(passedMs, next.atMs);
        next.wake();
        await settle();
      }
      passedMs = untilMs;
      await settle();
    },
  };
}

/** Returns a clock whose sleeps take no time, so that retries happen at once. */
export function instantClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let passedMs = 0;
  return {
    sleepers: 0,
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    sleep: async (delayMs, signal) => {
      await settle();
      signal?.throwIfAborted();
      passedMs += delayMs;
    },
    advance: async (byMs) => {
      passedMs += byMs;
      await settle();
    },
  };
}

/** Returns a fake source of randomness. Ids count up, and the fraction is always 0.5. */
export function countingRandom(): Random {
  let count = 0;
  return {
    fraction: () => 0.5,
    id: () => {
      count += 1;
      return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    },
  };
}

export interface LoggedLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns a logger that records its lines, so that tests can assert on them. */
export function recordingLogger(): Logger & { readonly lines: readonly LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) => {
      lines.push({ level, message, fields });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const noDialogs: Dialogs = {
  available: false,
  openFiles: () => Promise.resolve([]),
  openFolder: () => Promise.resolve(null),
  saveFile: () => Promise.resolve(null),
};

const quietShell: Shell = { revealInFolder: () => Promise.resolve(), notify: () => undefined };

export interface FakePorts extends Ports {
  readonly clock: ManualClock;
  readonly secrets: Secrets;
  readonly logger: ReturnType<typeof recordingLogger>;
}

export function fakePorts(change: Partial<FakePorts> = {}): FakePorts {
  return {
    clock: manualClock(),
    random: countingRandom(),
    secrets: memorySecrets(),
    logger: recordingLogger(),
    dialogs: noDialogs,
    shell: quietShell,
    ...change,
  };
}
