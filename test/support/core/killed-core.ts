import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithTest } from '../test-child.ts';

const child = fileURLToPath(new URL('./killed-core-child.ts', import.meta.url));

/** The parts of a rig that another process needs: its database and the address of its service. */
interface KilledRig {
  readonly dir: string;
  readonly service: { readonly endpoint: string } | null;
}

/** Runs the jobs of a rig in a separate process and kills it after `ms`. Throws if the process ended in another way. */
export async function runUntilKilled(rig: KilledRig, ms: number): Promise<void> {
  const database = path.join(rig.dir, 'cooper.db');
  const running = endsWithTest(
    spawn(process.execPath, [child, database, rig.service?.endpoint ?? ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const exited = once(running, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await once(running.stdout, 'data');
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
  running.kill('SIGKILL');
  const [status, signal] = await exited;
  if (signal !== 'SIGKILL')
    throw new Error(`The process was not killed: it ended with ${String(signal ?? status)}.`);
}
