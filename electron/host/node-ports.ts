import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Random } from '../core/ports.ts';

export const nodeClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (delayMs, signal) => {
    try {
      await delay(delayMs, undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      throw signal?.aborted === true ? signal.reason : thrown;
    }
  },
};

export const nodeRandom: Random = { fraction: () => Math.random(), id: () => randomUUID() };
