import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFarProxy } from './far-proxy.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { benchKeys } from './bench-keys.ts';

/** A server that a benchmark uses, in a separate process. */
export interface BenchServer {
  readonly name: string;
  readonly endpoint: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly stop: () => Promise<void>;
}

/**
 * Starts the available servers: S3_ENDPOINT if it is set, or else Ceph RGW if it is installed; and the embedded service, whose
 * folder `prepare` may fill before the start.
 */
export async function startServers(
  folder: string,
  prepare: (dataDir: string) => Promise<void> = () => Promise.resolve(),
): Promise<readonly BenchServer[]> {
  const remote = await startRemote();
  await prepare(path.join(folder, 'service'));
  const embedded = await startEmbedded(folder);
  return remote === null ? [embedded] : [remote, embedded];
}

/** Starts only the server that `startServers` adds to the embedded service: one, or none. */
export async function startRemoteAlone(): Promise<readonly BenchServer[]> {
  const remote = await startRemote();
  return remote === null ? [] : [remote];
}

async function startRemote(): Promise<BenchServer | null> {
  const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = process.env;
  if (S3_ENDPOINT !== undefined) {
    const keys = { accessKeyId: S3_ACCESS_KEY ?? '', secretAccessKey: S3_SECRET_KEY ?? '' };
    return { name: 'given', endpoint: S3_ENDPOINT, keys, stop: () => Promise.resolve() };
  }
  if (!isCephInstalled()) return null;
  const ceph = await startCeph({ RGW_OBJECTSTORE: 'bluestore', RGW_STORE_GIB: '24' });
  return {
    name: 'Ceph',
    endpoint: ceph.endpoint,
    keys: ceph,
    stop: () => {
      ceph.stop();
      return Promise.resolve();
    },
  };
}

/** Starts one server, the remote one if available, behind a proxy that adds this round trip. */
export async function startFarServers(folder: string, roundTripMs: number): Promise<readonly BenchServer[]> {
  const near = (await startRemote()) ?? (await startEmbedded(folder));
  const proxy = await startFarProxy(near.endpoint, roundTripMs);
  const stop = async (): Promise<void> => {
    await proxy.stop();
    await near.stop();
  };
  return [{ ...near, endpoint: proxy.endpoint, stop }];
}

/** Starts only the embedded service. */
export async function startEmbedded(folder: string): Promise<BenchServer> {
  const program = fileURLToPath(new URL('./service-child.ts', import.meta.url));
  const child: ChildProcess = fork(program, [], { execPath: process.execPath });
  child.send({ dataDir: path.join(folder, 'service') });
  const [{ endpoint }] = (await once(child, 'message')) as [{ endpoint: string }];
  return {
    name: 'embedded',
    endpoint,
    keys: benchKeys,
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
