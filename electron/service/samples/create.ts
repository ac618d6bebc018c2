import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SampleOptions } from '../options.ts';
import type { NewObject } from '../store/model.ts';
import type { Store } from '../store/object-store.ts';
import { sampleDocuments } from './documents.ts';
import { drawLandscape, moods } from './landscape.ts';
import { hostLogs, requestLogs } from './logs.ts';
import { sampleNames } from './sample-names.ts';
import { largeObjects } from './large-samples.ts';
import { draftVersions } from './drafts.ts';
import { doneSteps, keepDoneSteps, sampleSteps, type SampleStep } from './sample-steps.ts';
import { gappedUpload, unfinishedUpload, wholeUpload } from './sample-uploads.ts';

const dayMs = 86_400_000;
const batchLength = 1000;

export interface SampleRun {
  readonly store: Store;
  readonly dataDir: string;
  readonly options: SampleOptions;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** Returns the local folder with the files from which sample uploads can be resumed. */
function sampleFilesDir(run: Pick<SampleRun, 'dataDir' | 'options'>): string {
  return run.options.filesDir ?? join(run.dataDir, 'samples');
}

type Step = (run: SampleRun) => Promise<void>;

const makers: Readonly<Record<SampleStep, Step>> = {
  buckets: createBuckets,
  documents,
  names,
  photos,
  'stalled-whole': stalledWhole,
  'stalled-gap': stalledGap,
  'stalled-end': stalledEnd,
  logs,
  drafts,
  large,
};

/** Fills the store with samples in steps, so that the service can respond meanwhile. Skips finished steps. */
export async function createSamples(run: SampleRun): Promise<void> {
  for (const step of sampleSteps.slice(doneSteps(run.store))) {
    if (run.signal.aborted) return;
    await makers[step](run);
    if (run.signal.aborted) return;
    keepDoneSteps(run.store, doneSteps(run.store) + 1);
    await nextTurn();
  }
}

async function createBuckets({ store, nowMs }: SampleRun): Promise<void> {
  for (const [index, name] of ['photos', 'documents', 'server-data', 'names', 'backups'].entries()) {
    store.createBucket(name, nowMs - (400 - index * 17) * dayMs);
  }
}

async function documents({ store, nowMs }: SampleRun): Promise<void> {
  const bucketId = idOf(store, 'documents');
  for (const [index, { key, text, contentType, storageClass, metadata }] of sampleDocuments().entries()) {
    await store.putBytes(bucketId, key, Buffer.from(text), {
      modifiedMs: nowMs - (5 + index * 13) * dayMs - index * 3_777_000,
      contentType,
      ...(storageClass === undefined ? {} : { storageClass }),
      ...(metadata === undefined ? {} : { metadata }),
    });
  }
}

async function names({ store, nowMs }: SampleRun): Promise<void> {
  const bucketId = idOf(store, 'names');
  for (const [index, key] of sampleNames.entries()) {
    const modifiedMs = nowMs - (30 + index) * dayMs - index * 1_234_000;
    const text = key.endsWith('/') ? '' : `The key of this object is ${JSON.stringify(key)}.\n`;
    await store.putBytes(bucketId, key, Buffer.from(text), {
      modifiedMs,
      contentType: 'text/plain; charset=utf-8',
    });
  }
}

const photoNames: readonly (readonly [string, keyof typeof moods])[] = [
  ['2024/autumn/first frost.png', 'mist'],
  ['2024/autumn/red hills.png', 'autumn'],
  ['2024/winter/blue hour.png', 'night'],
  ['2025/spring/morning ferry.png', 'dawn'],
  ['2025/spring/noon.png', 'noon'],
  ['2025/summer/evening at the mole.png', 'dusk'],
  ['2025/summer/short night.png', 'night'],
  ['2026/islands/arrival.png', 'dawn'],
  ['2026/islands/the crossing.png', 'noon'],
  ['2026/islands/fog bank.png', 'mist'],
  ['2026/last light.png', 'dusk'],
  ['cover.png', 'autumn'],
];

async function photos({ store, nowMs, signal }: SampleRun): Promise<void> {
  const bucketId = idOf(store, 'photos');
  for (const [index, [key, mood]] of photoNames.entries()) {
    if (signal.aborted) return;
    const picture = await drawLandscape(key, moods[mood]);
    await store.putBytes(bucketId, key, picture, {
      modifiedMs: nowMs - (20 + (photoNames.length - index) * 29) * dayMs - index * 5_432_000,
      contentType: 'image/png',
      metadata: { camera: 'drawn-by-cooper' },
    });
    await nextTurn();
  }
}

async function stalledWhole({ store, nowMs }: SampleRun): Promise<void> {
  await wholeUpload(store, idOf(store, 'backups'), nowMs);
}

async function stalledGap(run: SampleRun): Promise<void> {
  await gappedUpload(run.store, idOf(run.store, 'backups'), run.nowMs, sampleFilesDir(run));
}

async function stalledEnd(run: SampleRun): Promise<void> {
  await unfinishedUpload(run.store, idOf(run.store, 'backups'), run.nowMs, sampleFilesDir(run));
}

async function logs({ store, nowMs, options, signal }: SampleRun): Promise<void> {
  const bucketId = idOf(store, 'server-data');
  let batch: (readonly [string, NewObject])[] = [];
  const flush = async (): Promise<void> => {
    store.putObjects(bucketId, batch);
    batch = [];
    await nextTurn();
  };
  for (const source of [hostLogs(nowMs), requestLogs(options.logCount ?? 30_000, nowMs)]) {
    for (const entry of source) {
      batch.push(entry);
      if (batch.length < batchLength) continue;
      await flush();
      if (signal.aborted) return;
    }
  }
  await flush();
}

async function drafts({ store, nowMs }: SampleRun): Promise<void> {
  await draftVersions(store, nowMs);
}

async function large({ store, nowMs }: SampleRun): Promise<void> {
  await largeObjects(store, nowMs, (bucket) => idOf(store, bucket));
}

/** Returns the bucket's id. Recreates the bucket if the user deleted it meanwhile. */
function idOf(store: Store, name: string): number {
  const bucket = store.bucket(name) ?? store.createBucket(name, Date.now());
  if (bucket === null) throw new Error(`The bucket ${name} cannot be created.`);
  return bucket.id;
}
