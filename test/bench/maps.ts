import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInstalled } from '../support/installed.ts';
import { buildChild } from './build-child.ts';
import type { MapMeasured, MapRun } from './maps-child.ts';
import type { Bench, BenchWish, Figure } from './report.ts';
import { timed } from './transfers-peers.ts';
import { environment, peers, startServer } from './walks.ts';
import { sizeOf } from './walk-keys.ts';

const cases = ['1m', '10m'] as const;
const filesPerFolder = { '1m': 10, '10m': 100 } as const;
const keyCounts = { '1m': 1_000_000, '10m': 10_000_000 } as const;
/** Part of every hundredth folder, of one key, and of none. */
const texts = ['2026-01-07/scan-00003', 'nothing-has-this-name'];

/**
 * A map and its catalogue of 100,000 folders: how long it takes and how much memory, and how soon it opens again and finds. Ten million
 * keys only where they are asked for: `npm run bench -- maps --case 10m`.
 */
export const mapsBench: Bench = Object.assign(
  async (wish: BenchWish): Promise<readonly Figure[]> => {
    const program = await buildChild('./maps-child.ts');
    const figures: Figure[] = [];
    for (const one of cases)
      if (wish.cases.has(one) || (wish.cases.size === 0 && one === '1m'))
        figures.push(...(await measured(program, one, wish.isAlone)));
    return figures;
  },
  { cases },
);

async function measured(
  program: string,
  one: (typeof cases)[number],
  isAlone: boolean,
): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-maps-'));
  const keyCount = keyCounts[one];
  const server = await startServer({
    shape: 'tree',
    keyCount,
    latencyMs: 0,
    filesPerFolder: filesPerFolder[one],
  });
  const run = { endpoint: server.endpoint, dataDir: folder, texts };
  try {
    const walked = await inChild(program, { ...run, what: 'walk' });
    insist(walked, keyCount);
    const opened = await inChild(program, { ...run, what: 'catalogue' });
    insist(opened, keyCount);
    const named = (name: string): string => `${name}, ${one}`;
    const figures: Figure[] = [
      { name: named('map and catalogue, from the service'), value: walked.seconds, unit: 's' },
      { name: named('processor time of that'), value: walked.cpuSeconds, unit: 's' },
      {
        name: named('memory of that'),
        value: walked.peakMiB,
        unit: 'MiB',
        ...(one === '1m' ? { limit: { kind: 'at-most', value: 250 } as const } : {}),
      },
      {
        name: named('the map is there after the walk in'),
        value: walked.treeMs,
        unit: 'ms',
        limit: { kind: 'at-most', value: 100 },
      },
      { name: named('totals after the walk'), value: walked.factsMs, unit: 'ms' },
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
    for (const peer of isAlone ? [] : peers) {
      if (!isInstalled(peer.command) || peer.treeOnly) continue;
      const theirs = await timed(environment(folder), peer.command, peer.parameters(server.endpoint));
      figures.push({ name: named(peer.name), value: theirs.seconds, unit: 's' });
    }
    return figures;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sums that are wrong are not fast. */
function insist({ status }: MapMeasured, keyCount: number): void {
  let sizeBytes = 0;
  for (let index = 0; index < keyCount; index += 1) sizeBytes += sizeOf(index);
  if (status.objects !== keyCount || status.sizeBytes !== sizeBytes)
    throw new Error(`The map is wrong: ${JSON.stringify(status)}`);
}

/** In a process of its own, so that its memory can be measured. */
async function inChild(program: string, input: MapRun): Promise<MapMeasured> {
  const child = fork(program, [], { execPath: process.execPath, execArgv: [] });
  child.send(input);
  const [result] = (await once(child, 'message')) as [MapMeasured];
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return result;
}
