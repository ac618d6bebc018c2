import { setTimeout as delay } from 'node:timers/promises';
import { askControl, type ControlAnswer } from './control.ts';
import { takeLock, type Lock } from './lock.ts';
import { exitFailure, StartProblem } from './problem.ts';
import { text } from './text.ts';

export type Claim =
  | { readonly kind: 'first'; readonly lock: Lock }
  | { readonly kind: 'second'; readonly answer: ControlAnswer };

const betweenTriesMs = 100;
const giveUpAfterMs = 8000;

/**
 * Locks the data folder, or asks the process that holds the lock to show its window. A process that is starting or ending does
 * not respond, so both are retried. Throws a StartProblem after a time limit.
 */
export async function claimDataDir(dataDir: string, link: string | null = null): Promise<Claim> {
  const endMs = performance.now() + giveUpAfterMs;
  for (;;) {
    const lock = takeLock(dataDir);
    if (lock !== null) return { kind: 'first', lock };
    const answer = await askControl(dataDir, link);
    if (answer !== null) return { kind: 'second', answer };
    if (performance.now() > endMs) {
      throw new StartProblem(text('runningButSilent', { dir: dataDir }), exitFailure);
    }
    await delay(betweenTriesMs);
  }
}
