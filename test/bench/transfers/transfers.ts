import { filesAtOnce, smallDownloadsAtOnce } from '../../../electron/core/transfers/transfer-strategies.ts';
import type { BenchRequest, Figure } from '../report.ts';
import { benchLoad, type Load, type TransferPromise, type TransferRun } from './transfers-load.ts';
import { startEmbedded, startFarServers, startRemoteAlone, startServers } from '../support/bench-servers.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const MiB = 1024 * 1024;

/** Uploads and downloads one object of 1 GiB, compared with the peers at the same number of parallel parts. */
export async function transfersLargeBench(): Promise<readonly Figure[]> {
  return await benchLoad({
    name: '1 GiB',
    isLarge: true,
    files: 1,
    bytesEach: 1024 * MiB,
    rounds,
    peersAtOnce: { files: { upload: 4, download: 4 }, parts: 4 },
    servers: startServers,
    // Memory is limited only for one large object. With many small ones, V8's young generation grows to its maximum.
    promised: (server, kind) =>
      kind === 'upload'
        ? { times: 1, processor: 1.5, memoryMiB: 140 }
        : { times: server === 'Ceph' ? 1.1 : 1, processor: server === 'Ceph' ? 1 : 1.5, memoryMiB: 110 },
  });
}

/**
 * Uploads and downloads 10,000 objects of 4 KiB, compared with the fastest peer at the same number of parallel files. On the
 * slower remote server 2,500, compared with all peers, since more would take minutes and show the same. `BENCH_FILES` sets
 * another number.
 */
export async function transfersSmallBench(): Promise<readonly Figure[]> {
  const files = Number(process.env['BENCH_FILES'] ?? 10_000);
  return [
    ...(await benchLoad(smallLoad(Math.ceil(files / 4), startRemoteAlone))),
    ...(await benchLoad({
      ...smallLoad(files, async (folder) => [await startEmbedded(folder)]),
      peers: ['rclone'],
    })),
  ];
}

function smallLoad(files: number, servers: Load['servers']): Load {
  return {
    name: `${files} x 4 KiB`,
    isLarge: false,
    files,
    bytesEach: 4096,
    rounds,
    peersAtOnce: { files: { upload: filesAtOnce, download: smallDownloadsAtOnce }, parts: 4 },
    servers,
    promised: (server, kind) => ({ times: server === 'embedded' && kind === 'download' ? 1.3 : 1 }),
  };
}

/** The loads for far servers. Many files are sent by many parallel requests, and the large object by the peers' defaults. */
const farLoads: Readonly<Record<'many' | 'large', Load>> = {
  many: {
    name: '1000 x 64 KiB behind 50 ms',
    isLarge: false,
    files: 1000,
    bytesEach: 64 * 1024,
    rounds,
    peersAtOnce: { files: { upload: 32, download: 32 }, parts: 4 },
    servers: async (folder) => await startFarServers(folder, 50),
    promised: promisedFar({ times: 1.5, seconds: 3 }, { times: 1.15, seconds: 2 }),
  },
  large: {
    name: '512 MiB behind 100 ms',
    isLarge: true,
    files: 1,
    bytesEach: 512 * MiB,
    rounds,
    peersAtOnce: { files: { upload: 4, download: 4 }, parts: null },
    servers: async (folder) => await startFarServers(folder, 100),
    promised: promisedFar({ times: 1.2, seconds: 3.8 }, { times: 1, seconds: 1.7 }),
  },
};

function promisedFar(upload: TransferPromise, download: TransferPromise) {
  return (_server: string, kind: TransferRun['kind']): TransferPromise =>
    kind === 'upload' ? upload : download;
}

/** Measures transfers over a distance, where latency dominates: many small files at 50 ms, a large one at 100 ms. */
export const transfersFarBench = Object.assign(
  async ({ cases }: BenchRequest): Promise<readonly Figure[]> => {
    const figures: Figure[] = [];
    for (const name of ['many', 'large'] as const)
      if (cases.size === 0 || cases.has(name)) figures.push(...(await benchLoad(farLoads[name])));
    return figures;
  },
  { cases: ['many', 'large'] },
);
