import { noDialogs } from '../../../electron/browser/shell.ts';
import { createInventory } from '../../../electron/core/inventory/inventory.ts';
import { Maps } from '../../../electron/core/catalogues/maps.ts';
import { createWalks } from '../../../electron/core/walks/walks.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { boundYoungGeneration } from '../../../electron/host/process.ts';
import { everyKind, type MapStatus } from '../../../shared/models/map.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import { memoryMiB } from '../../support/memory.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import type { Measured } from '../transfers/transfers-load.ts';

export interface MapRun {
  readonly endpoint: string;
  readonly dataDir: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** `walk`: lists the bucket and stores a catalogue. `report`: reads a report instead. `catalogue`: opens the stored one. */
  readonly task: 'walk' | 'report' | 'catalogue';
  /** The key of the report's manifest. */
  readonly manifestKey?: string;
  /** The texts to search for. */
  readonly texts: readonly string[];
}

export interface MapMeasured extends Measured {
  readonly status: MapStatus;
  /** The time until all nodes of a map of the whole bucket are returned. */
  readonly treeMs: number;
  readonly factsMs: number;
  readonly nodes: number;
  readonly fileBytes: number;
  /** The times of each search until the first result and until the end. Null if nothing was found. */
  readonly searches: readonly {
    readonly firstMs: number | null;
    readonly allMs: number;
    readonly found: number;
  }[];
}

const place = { connectionId: 'c', bucket: 'bench', prefix: '' };
// Limits the young generation, as the program does.
boundYoungGeneration();
process.once('message', (input: MapRun) => {
  void measure(input).then((result) => process.send?.(result));
});

async function measure({
  endpoint,
  keys,
  dataDir,
  task,
  texts,
  manifestKey = '',
}: MapRun): Promise<MapMeasured> {
  const client = realClient({ endpoint, keys });
  const ports = { clock: nodeClock, random: nodeRandom, logger: silentLogger, dialogs: noDialogs };
  const walks = createWalks({ ports, dataDir, client: () => Promise.resolve(client), startOf: () => null });
  const maps = new Maps({
    ports,
    dir: `${dataDir}/catalogues`,
    walks,
    originOf: () => Promise.resolve({ endpoint, account: 'c', createdAt: null }),
    accountOf: () => Promise.resolve({ endpoint, account: 'c' }),
    exports: walks.exports,
    limitBytes: () => 2 ** 33,
  });
  const inventory = createInventory({ ports, client: () => Promise.resolve(client), maps });
  const started = performance.now();
  const mapId =
    task === 'report'
      ? (await inventory.open({ connectionId: 'c', bucket: 'reports', key: manifestKey, prefix: '' })).mapId
      : await maps.open(place, task === 'walk' ? 'always' : 'never');
  const over = new AbortController();
  let status: MapStatus | null = null;
  for await (const event of maps.watch(mapId, over.signal)) {
    status = event;
    // A map is complete once all keys have been read and stored.
    const isOver = event.walk !== null && event.walk.state !== 'running' && event.kept !== 'pending';
    if (event.isComplete || isOver) break;
  }
  if (status?.isComplete !== true) throw new Error(JSON.stringify(status));
  const seconds = (performance.now() - started) / 1000;
  const request = { mapId, folder: '', filter: everyKind };
  const [tree, treeMs] = await timed(() =>
    maps.tree({ ...request, measure: 'size', colouring: 'kind', limit: 2500 }),
  );
  const [, factsMs] = await timed(() => maps.facts(request));
  const searches: MapMeasured['searches'][number][] = [];
  for (const text of texts) searches.push(await search(maps, text));
  const { fileBytes } = await maps.usage();
  await walks.close();
  await inventory.close();
  await maps.shutDown();
  await client.close();
  const { user, system } = process.cpuUsage();
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakMiB: memoryMiB('VmHWM'),
    status,
    treeMs,
    factsMs,
    nodes: tree.nodes.length,
    fileBytes,
    searches,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now();
  const result = await work();
  return [result, performance.now() - from];
}

async function search(maps: Maps, text: string) {
  const from = performance.now();
  const kept = await maps.storedKeys(place);
  const name = { kind: 'contains', text, caseSensitive: false, in: 'path' } as const;
  let firstMs: number | null = null;
  let found = 0;
  const turns = kept?.search({ ...everyObject, name }, '', new AbortController().signal) ?? [];
  for await (const turn of turns) {
    found += turn.matches;
    if (turn.matches > 0) firstMs ??= performance.now() - from;
  }
  return { firstMs, allMs: performance.now() - from, found };
}
