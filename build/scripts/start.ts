import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type * as BrowserHost from '../../electron/browser/main.ts';
import { exitFailure } from '../../electron/host/problem.ts';
import { startCooper } from './start-cooper.ts';

/** The entry of `npm start` if the build is out of date. Otherwise, run.mjs uses `start-built.ts`. */
await startCooper(process.argv.slice(2), async (stop) => {
  await build(stop);
  const file = new URL('../../dist/browser/main.js', import.meta.url);
  return (await import(file.href)) as typeof BrowserHost;
});

/** Builds in a separate process. A build allocates a gigabyte, which this process would keep while Cooper runs. */
async function build(stop: AbortSignal): Promise<void> {
  const script = fileURLToPath(new URL('run.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, 'build'], { stdio: 'inherit' });
  const end = (): void => {
    child.kill();
  };
  stop.addEventListener('abort', end, { once: true });
  const [status] = (await once(child, 'exit')) as [number | null];
  stop.removeEventListener('abort', end);
  if (stop.aborted) process.exit(0);
  // The build has already printed the reason.
  if (status !== 0) process.exit(exitFailure);
}
