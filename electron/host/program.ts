import { existsSync } from 'node:fs';
import path from 'node:path';
import { createCore, type Core } from '../core/core.ts';
import type { Dialogs, Logger, Secrets, Shell, SystemProxy, Updates } from '../core/ports.ts';
import type { Samples } from '../core/connections/clients.ts';
import type { CheckedDatabase } from '../core/store/open-kept.ts';
import { startServiceInWorker, type WorkerService } from '../service/worker.ts';
import { knownSecrets, recordingSecrets, fileLogger } from './logger.ts';
import { nodeDiskSync } from './disk-sync.ts';
import { nodeClock, nodeRandom } from './node-ports.ts';
import { detailOf } from './problem.ts';
import { keysFile, sampleBucketsDir, sampleCredentials, sampleRegion } from './sample-credentials.ts';
import { version } from './version.ts';
import { watchSleep, watchNetwork } from './watch-computer.ts';
import { boundYoungGeneration, guardProcess } from './process.ts';
import type { Settings } from '../../shared/models/settings.ts';

export interface ProgramOptions {
  /** The data folder. It must be prepared, and locked by this process. */
  readonly dataDir: string;
  readonly host: 'desktop' | 'browser';
  readonly secrets: Secrets;
  readonly dialogs: Dialogs;
  readonly shell: Shell;
  /** Absent if the host cannot ask the operating system for its proxies. */
  readonly systemProxy?: SystemProxy;
  /** The new paths of damaged files that were renamed during the start. The windows report them. */
  readonly setAside?: readonly string[];
  /** Creates the updates; absent if this host does not update the program. */
  readonly updates?: (logger: Logger) => Updates;
  /** The core's database, already open; absent if the core opens it. */
  readonly opened?: CheckedDatabase;
}

export interface Program {
  readonly core: Core;
  readonly logger: Logger;
  close(): Promise<void>;
}

/**
 * Starts the core with its ports, and prepares the embedded service. Both hosts call this. Throws StartProblem if the log cannot
 * be written.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { dataDir, host, dialogs, shell } = options;
  const stopBounding = boundYoungGeneration();
  const known = knownSecrets();
  const secrets = recordingSecrets(options.secrets, known);
  const logger = fileLogger(dataDir, () => known.all);
  const setAside = [...(options.setAside ?? [])];
  const credentials = sampleCredentials(dataDir, (where) => setAside.push(where));
  known.learn(credentials.secretAccessKey);
  const service = sampleService(dataDir, credentials, logger);
  // The first start creates the samples now, because that takes seconds.
  if (!existsSync(sampleBucketsDir(dataDir))) service.running().catch(() => undefined);
  const samples = async (): Promise<Samples> => {
    const running = await service.running();
    // Waits for the samples, because unfinished buckets would look complete. A failure was already logged.
    await running.samplesReady.catch(() => undefined);
    return {
      endpoint: running.endpoint,
      region: sampleRegion,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      keysFile: keysFile(dataDir),
    };
  };
  const diskSync = nodeDiskSync(nodeClock);
  const ports = {
    clock: nodeClock,
    random: nodeRandom,
    secrets,
    logger,
    dialogs,
    shell,
    ...(options.systemProxy === undefined ? {} : { systemProxy: options.systemProxy }),
    ...(diskSync === null ? {} : { diskSync }),
  };
  let core: Core;
  try {
    core = createCore({
      ports,
      dataDir,
      version,
      host,
      samples,
      ...(options.updates === undefined ? {} : { updates: options.updates(logger) }),
      ...(options.opened === undefined ? {} : { opened: options.opened }),
    });
  } catch (thrown) {
    logger.error('Cooper could not start.', { err: thrown });
    await service.close();
    throw thrown;
  }
  for (const where of setAside) {
    logger.warn('Could not read a file of the data folder. It was set aside, and a new one was created.', {
      where,
    });
    core.events.announce({ kind: 'set-aside', data: 'file', where });
  }
  core.keepData();
  logger.info('Cooper started.', { version, host });
  const ending = new AbortController();
  void followSettings(core, ending.signal, ({ logLevel }) => {
    logger.setLevel(logLevel);
  });
  const stopGuard = guardProcess({
    logger,
    tell: () => {
      core.events.announce({ kind: 'trouble' });
    },
  });
  const stopNetwork = watchNetwork(() => {
    logger.info('The network of this computer changed; the jobs are checked again.');
    core.wake();
  });
  const stopWatching = watchSleep(
    () => nodeClock.nowMs(),
    () => {
      logger.info('This computer was asleep; the jobs are checked again.');
      core.wake();
    },
  );
  return {
    core,
    logger,
    close: async () => {
      stopBounding();
      stopWatching();
      stopNetwork();
      ending.abort();
      await core.close();
      diskSync?.close();
      await service.close();
      logger.info('Cooper ended.');
      stopGuard();
      logger.close();
    },
  };
}

interface SampleService {
  /** Returns the service. Starts it if it does not run. */
  running(): Promise<WorkerService>;
  close(): Promise<void>;
}

/** Runs the embedded service in a thread, which is started at first use. Even idle, it takes a fifth of the program's memory. */
function sampleService(
  dataDir: string,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
  logger: Logger,
): SampleService {
  let started: Promise<WorkerService> | null = null;
  const complain = (thrown: unknown): void => {
    logger.error('The sample buckets could not be created.', { detail: detailOf(thrown) });
  };
  const start = (): Promise<WorkerService> => {
    const starting = startServiceInWorker(
      {
        dataDir: sampleBucketsDir(dataDir),
        credentials: [credentials],
        region: sampleRegion,
        samples: { filesDir: path.join(dataDir, 'sample-files'), ...logCount() },
      },
      { logger },
    );
    starting.then((service) => service.samplesReady).catch(complain);
    // A later call tries again, because the cause may be fixed by then.
    starting.catch(() => {
      started = null;
    });
    return starting;
  };
  return {
    running: () => (started ??= start()),
    close: async () => {
      // A failed start was already logged.
      const running = await started?.catch(() => null);
      await running?.close();
    },
  };
}

/** Returns the number of sample log objects to create, if the environment defines one. Tests use a small one. */
function logCount(): { readonly logCount?: number } {
  const countText = process.env['COOPER_SAMPLE_LOGS'];
  return countText !== undefined && /^\d{1,6}$/.test(countText) ? { logCount: Number(countText) } : {};
}

/** Calls `apply` with the settings now and after each change, until the signal aborts. */
export async function followSettings(
  core: Pick<Core, 'events' | 'settings'>,
  signal: AbortSignal,
  apply: (settings: Settings) => void,
): Promise<void> {
  const events = core.events.watch(signal);
  apply(core.settings.get());
  for await (const event of events) if (event.kind === 'settings-changed') apply(core.settings.get());
}
