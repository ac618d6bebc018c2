import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realClient } from '../../support/servers/real-client.ts';
import { buildChild } from '../support/build-child.ts';
import { putReport } from './inventory-report.ts';
import type { MapMeasured, MapRun } from './maps-child.ts';
import type { Bench, BenchRequest, Figure } from '../report.ts';
import { startEmbedded, startServers } from '../support/bench-servers.ts';
import { startServer } from './walks.ts';
import { sizeOf } from './walk-keys.ts';

const walked = ['1m', '10m'] as const;
/** Benches of inventory reports. Unordered rows and Parquet files cost more; only the embedded service measures by how much. */
const reported = {
  'inventory-1m': { count: '1m', format: 'CSV', isOrdered: true, isOnCeph: true },
  'inventory-unordered-1m': { count: '1m', format: 'CSV', isOrdered: false, isOnCeph: false },
  'inventory-parquet-1m': { count: '1m', format: 'Parquet', isOrdered: true, isOnCeph: false },
  'inventory-10m': { count: '10m', format: 'CSV', isOrdered: true, isOnCeph: true },
} as const;
type Reported = keyof typeof reported;
const cases: readonly string[] = [...walked, ...Object.keys(reported)];
const filesPerFolder = { '1m': 10, '10m': 100 } as const;
const keyCounts = { '1m': 1_000_000, '10m': 10_000_000 } as const;
const nobody = { accessKeyId: 'BENCH', secretAccessKey: 'bench-secret' };
/** Search texts: one with matches, and one without. */
const texts = ['2026-01-07/scan-00003', 'nothing-has-this-name'];

/**
 * Measures maps of 100,000 folders, from a walk and from S3 Inventory reports: the time and memory to create, reopen and search
 * one. Ten million keys only on request: `npm run bench -- maps --case 10m --case inventory-10m`.
 */
export const mapsBench: Bench = Object.assign(
  async (request: BenchRequest): Promise<readonly Figure[]> => {
    const program = await buildChild(new URL('./maps-child.ts', import.meta.url));
    const figures: Figure[] = [];
    const isWanted = (name: string): boolean =>
      request.cases.size === 0 ? name.endsWith('1m') : request.cases.has(name);
    for (const scenario of walked)
      if (isWanted(scenario)) figures.push(...(await measured(program, scenario)));
    for (const scenario of Object.keys(reported) as Reported[])
      if (isWanted(scenario)) figures.push(...(await ofReport(program, scenario, request.isAlone)));
    return figures;
  },
  { cases },
);

async function measured(program: string, scenario: (typeof walked)[number]): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-maps-'));
  const keyCount = keyCounts[scenario];
  const server = await startServer({
    shape: 'tree',
    keyCount,
    latencyMs: 0,
    filesPerFolder: filesPerFolder[scenario],
  });
  const run = { endpoint: server.endpoint, keys: nobody, dataDir: folder, texts };
  try {
    const made = await inChild(program, { ...run, task: 'walk' });
    insist(made, keyCount);
    const opened = await inChild(program, { ...run, task: 'catalogue' });
    insist(opened, keyCount);
    const named = (name: string): string => `${name}, ${scenario}`;
    const figures: Figure[] = [
      { name: named('map and catalogue, from the service'), value: made.seconds, unit: 's' },
      { name: named('processor time of that'), value: made.cpuSeconds, unit: 's' },
      {
        name: named('memory of that'),
        value: made.peakMiB,
        unit: 'MiB',
        ...(scenario === '1m' ? { limit: { kind: 'at-most', value: 250 } as const } : {}),
      },
      {
        name: named('the map is there after the walk in'),
        value: made.treeMs,
        unit: 'ms',
        limit: { kind: 'at-most', value: 100 },
      },
      { name: named('totals after the walk'), value: made.factsMs, unit: 'ms' },
      { name: named('size of the catalogue'), value: opened.fileBytes / 2 ** 20, unit: 'MiB' },
      { name: named('opened again from the catalogue'), value: opened.seconds, unit: 's' },
      { name: named('memory of that, searches included'), value: opened.peakMiB, unit: 'MiB' },
      ...opened.searches.flatMap(({ firstMs, allMs, found }, at): Figure[] => [
        {
          name: named(`search for “${texts[at] ?? ''}”, ${String(found)} found, first result`),
          value: firstMs ?? allMs,
          unit: 'ms',
          limit: { kind: 'at-most', value: 100 },
        },
        { name: named(`search for “${texts[at] ?? ''}”, all of it`), value: allMs, unit: 'ms' },
      ]),
    ];
    return figures;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures a map from a report on the embedded service, and in some cases on Ceph RGW if it is installed. */
async function ofReport(program: string, scenario: Reported, isAlone: boolean): Promise<readonly Figure[]> {
  const { count, format, isOrdered, isOnCeph } = reported[scenario];
  const keyCount = keyCounts[count];
  const request = { keyCount, filesPerFolder: filesPerFolder[count], format, isOrdered };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-reports-'));
  const servers = isAlone || !isOnCeph ? [await startEmbedded(folder)] : await startServers(folder);
  try {
    const figures: Figure[] = [];
    for (const { name, endpoint, keys } of servers) {
      const client = realClient({ endpoint, keys });
      const { manifestKey, sizeBytes } = await putReport(client, request);
      await client.close();
      const run = { endpoint, keys, dataDir: path.join(folder, name), texts };
      const made = await inChild(program, { ...run, task: 'report', manifestKey });
      insist(made, keyCount);
      const opened = await inChild(program, { ...run, task: 'catalogue' });
      insist(opened, keyCount);
      const named = (task: string): string => `${task}, ${scenario}, ${name}`;
      figures.push(
        { name: named('map and catalogue, from a report'), value: made.seconds, unit: 's' },
        { name: named('size of the report'), value: sizeBytes / 2 ** 20, unit: 'MiB' },
        { name: named('processor time of that'), value: made.cpuSeconds, unit: 's' },
        {
          name: named('memory of that'),
          value: made.peakMiB,
          unit: 'MiB',
          ...(count === '1m' ? { limit: { kind: 'at-most', value: 250 } as const } : {}),
        },
        {
          name: named('the map is there after the report in'),
          value: made.treeMs,
          unit: 'ms',
          limit: { kind: 'at-most', value: 100 },
        },
        { name: named('opened again from the catalogue'), value: opened.seconds, unit: 's' },
        ...opened.searches.map(({ firstMs, allMs, found }, at): Figure => ({
          name: named(`search for “${texts[at] ?? ''}”, ${String(found)} found, first result`),
          value: firstMs ?? allMs,
          unit: 'ms',
          limit: { kind: 'at-most', value: 100 },
        })),
      );
    }
    return figures;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws if the map's sums are wrong, since its time would then mean nothing. */
function insist({ status }: MapMeasured, keyCount: number): void {
  let sizeBytes = 0;
  for (let index = 0; index < keyCount; index += 1) sizeBytes += sizeOf(index);
  if (status.objects !== keyCount || status.sizeBytes !== sizeBytes)
    throw new Error(`The map is wrong: ${JSON.stringify(status)}`);
}

/** Runs the measurement in a separate process, so that its memory can be measured. */
async function inChild(program: string, input: MapRun): Promise<MapMeasured> {
  const child = fork(program, [], { execPath: process.execPath, execArgv: [] });
  child.send(input);
  const [result] = (await once(child, 'message')) as [MapMeasured];
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return result;
}
