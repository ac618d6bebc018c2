import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DataFolderInUse, startService, type Service } from '../service/server.ts';
import { takeLock } from './lock.ts';
import { errnoOf, exitUsage, StartProblem } from './problem.ts';
import { keysFile, sampleBucketsDir, sampleCredentials, sampleRegion } from './sample-credentials.ts';
import { text } from './text.ts';

export interface ServiceRun {
  /** The data folder, which must be prepared. */
  readonly dataDir: string;
  readonly port: number;
  readonly print: (line: string) => void;
}

/**
 * Runs only the object storage of a data folder, for other programs, with Cooper's sample buckets and keys. Prints its address
 * and the path of its keys. Throws a StartProblem if the folder or port is unavailable.
 */
export async function runService({ dataDir, port, print }: ServiceRun): Promise<{ close(): Promise<void> }> {
  const lock = takeLock(dataDir);
  if (lock === null) throw inUse(dataDir);
  try {
    const service = await start(dataDir, port, (file) => print(text('serviceKeysSetAside', { file })));
    print(text('serviceReady', { address: service.endpoint, region: sampleRegion }));
    print(text('serviceKeys', { file: keysFile(dataDir) }));
    print(text('serviceEnd'));
    return {
      close: async () => {
        await service.close();
        lock.release();
      },
    };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

async function start(dataDir: string, port: number, onSetAside: (file: string) => void): Promise<Service> {
  const dir = sampleBucketsDir(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    return await startService({
      dataDir: dir,
      port,
      credentials: [sampleCredentials(dataDir, onSetAside)],
      region: sampleRegion,
    });
  } catch (thrown) {
    if (thrown instanceof DataFolderInUse) throw inUse(dataDir, thrown);
    const problem = { EADDRINUSE: 'portTaken', EACCES: 'portDenied' } as const;
    const errno = errnoOf(thrown);
    if (errno !== 'EADDRINUSE' && errno !== 'EACCES') throw thrown;
    throw new StartProblem(text(problem[errno], { port }), exitUsage, { cause: thrown });
  }
}

function inUse(dir: string, cause?: unknown): StartProblem {
  return new StartProblem(text('serviceFolderInUse', { dir: path.normalize(dir) }), exitUsage, { cause });
}
