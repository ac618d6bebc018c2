import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { takeLock } from '../../../electron/host/lock.ts';

const [, , dir = '', stay] = process.argv;

/** Keeps no reference to the lock, as a start that only waits for its end does. */
function take(): string {
  return takeLock(dir) === null ? 'taken by another' : 'held';
}

const outcome = take();
if (stay === 'stay') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Runs twice, to collect what the first run found to be unreachable.
  for (let time = 0; time < 2; time += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  setInterval(() => undefined, 1000);
}
console.log(outcome);
