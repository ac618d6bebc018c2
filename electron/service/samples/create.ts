import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SampleOptions } from '../options.ts';
import type { NewObject } from '../store/model.ts';
import type { Store } from '../store/object-store.ts';
import { drawLandscape, moods } from './landscape.ts';
import { hostLogs, requestLogs, draftVersions, sampleDocuments } from './documents.ts';
import { largeObjects } from './large-samples.ts';
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
  'stalled-whole': ({ store, nowMs }) => wholeUpload(store, idOf(store, 'backups'), nowMs),
  'stalled-gap': (run) => gappedUpload(run.store, idOf(run.store, 'backups'), run.nowMs, sampleFilesDir(run)),
  'stalled-end': (run) =>
    unfinishedUpload(run.store, idOf(run.store, 'backups'), run.nowMs, sampleFilesDir(run)),
  logs,
  drafts: ({ store, nowMs }) => draftVersions(store, nowMs),
  large: ({ store, nowMs }) => largeObjects(store, nowMs, (bucket) => idOf(store, bucket)),
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
    store.buckets.create(name, nowMs - (400 - index * 17) * dayMs);
  }
}

async function documents({ store, nowMs }: SampleRun): Promise<void> {
  const bucketId = idOf(store, 'documents');
  for (const [index, { key, text, ...facts }] of sampleDocuments().entries()) {
    const modifiedMs = nowMs - (5 + index * 13) * dayMs - index * 3_777_000;
    await store.putBytes(bucketId, key, Buffer.from(text), { modifiedMs, ...facts });
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

/** Returns the bucket's id. Recreates the bucket if the user deleted it meanwhile. */
function idOf(store: Store, name: string): number {
  const bucket = store.buckets.get(name) ?? store.buckets.create(name, Date.now());
  if (bucket === null) throw new Error(`The bucket ${name} cannot be created.`);
  return bucket.id;
}

/** The object keys of the bucket `names`: several scripts, and unusual characters and slashes. */
const sampleNames: readonly string[] = [
  'scripts/Русский/Белые ночи.txt',
  'scripts/Русский/Ёлка и щука.txt',
  'scripts/Українська/Їжак.txt',
  'scripts/中文/山水.txt',
  'scripts/中文/春江花月夜.txt',
  'scripts/日本語/さくら.txt',
  'scripts/日本語/カタカナ ﾊﾝｶｸ.txt',
  'scripts/한국어/바다.txt',
  'scripts/العربية/بحر.txt',
  'scripts/עברית/ים.txt',
  'scripts/हिन्दी/समुद्र.txt',
  'scripts/ไทย/ทะเล.txt',
  'scripts/Ελληνικά/θάλασσα.txt',
  'scripts/Türkçe/İstanbul ışığı.txt',
  'scripts/emoji/👩‍🚀 astronaut.txt',
  'scripts/emoji/🏳️‍🌈🎉.txt',
  // These two look the same but are different keys.
  'scripts/normal forms/café (composed).txt'.normalize('NFC'),
  'scripts/normal forms/café (combining).txt'.normalize('NFD'),
  'scripts/normal forms/Zal\u0335\u0321g\u0338\u0327o\u0334.txt',
  'odd/empty//segment.txt',
  'odd///three slashes.txt',
  '/begins with a slash.txt',
  '//begins with two.txt',
  'odd/ spaces around .txt ',
  'odd/only spaces/   ',
  'odd/a folder ending in a space /here.txt',
  'odd/tab\tand\nnew line.txt',
  'odd/bell\u0007 and escape\u001b.txt',
  'odd/right-to-left \u202Egpj.exe',
  'odd/zero\u200Bwidth.txt',
  'odd/../up.txt',
  'odd/./here.txt',
  'odd/..',
  'odd/CON',
  'odd/aux.txt',
  'odd/C:\\Windows\\win.ini',
  'odd/colon: question? star* "quotes" <angles> |pipe|',
  'odd/trailing dot.',
  'odd/percent %41 100%25 +plus &amp; #hash.txt',
  'odd/007',
  'odd/1e5',
  'odd/true',
  "odd/it's (really) fine!.txt",
  'odd/a',
  'odd/a/',
  'odd/a/b.txt',
  'odd/Case.txt',
  'odd/case.txt',
  `odd/long/${'very-'.repeat(190)}long.txt`,
];
