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
 * Either this process becomes the one that uses the data folder, or the one that does has been asked to show itself.
 * A holder that is just starting or just ending does not answer yet or any more; so both are tried in turn for a while.
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
