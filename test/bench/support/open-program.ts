import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Measured, TransferRun } from '../transfers/transfers-load.ts';

export interface OpenProgram {
  readonly transfer: (run: TransferRun) => Promise<Measured>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the program in a separate process, so that its memory and processor time can be measured. It stays open for all rounds,
 * as a desktop program does.
 */
export function openProgram(file: string): OpenProgram {
  const child = fork(file, [], { execPath: process.execPath, execArgv: [] });
  const exited = once(child, 'exit');
  return {
    async transfer(run) {
      const answered = once(child, 'message') as Promise<[Measured]>;
      child.send({ ...run });
      const ended = exited.then(() => {
        throw new Error('The program ended before its transfer did.');
      });
      const [result] = await Promise.race([answered, ended]);
      return result;
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
