import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewObject, Segment } from '../store/model.ts';
import type { Store } from '../store/object-store.ts';
import { seededBytes, seededRandom } from './random.ts';

const mebi = 1024 * 1024;
const dayMs = 86_400_000;
/** The part size of all large samples, in bytes. */
const partBytes = 2 * mebi;

interface LargeSample {
  readonly bucket: 'photos' | 'server-data';
  readonly key: string;
  readonly parts: number;
  readonly ageDays: number;
  readonly contentType: string;
}

/** Yields files like those that a photographer and a server collect over years: many are old, some are duplicates. */
function* largeSamples(): Generator<LargeSample> {
  const random = seededRandom('large samples');
  const upTo = (max: number): number => 1 + Math.floor(random() * max);
  for (const [year, shoots] of [
    [2023, ['harbour', 'rope walk']],
    [2024, ['regatta', 'lighthouse', 'winter']],
    [2025, ['islands', 'shipyard', 'night ferry', 'portraits']],
    [2026, ['mole', 'storm', 'harbour']],
  ] as const)
    for (const [place, shoot] of shoots.entries()) {
      const ageDays = (2026.4 - year) * 365 - place * 60;
      const frames = 4 + upTo(8);
      for (let frame = 1; frame <= frames; frame += 1) {
        const name = `${shoot.slice(0, 3).toUpperCase()}_${String(frame).padStart(4, '0')}`;
        const raw = { bucket: 'photos', contentType: 'image/x-canon-cr3', ageDays } as const;
        yield { ...raw, key: `raw/${String(year)}/${shoot}/${name}.cr3`, parts: 5 + upTo(4) };
        const out = { bucket: 'photos', contentType: 'image/tiff', ageDays: ageDays - 5 } as const;
        if (frame % 2 === 0)
          yield { ...out, key: `exports/${String(year)}/${shoot}/${name}.tif`, parts: upTo(3) };
      }
      if (place % 2 === 0)
        yield {
          bucket: 'photos',
          key: `video masters/${String(year)}/${shoot}.mov`,
          parts: 40 + upTo(60),
          ageDays,
          contentType: 'video/quicktime',
        };
    }
  for (let month = 1; month <= 30; month += 1) {
    const date = new Date(Date.UTC(2026, 10 - month, 1)).toISOString().slice(0, 7);
    const old = { bucket: 'server-data', ageDays: month * 30 } as const;
    yield {
      ...old,
      key: `backups/database/${date}.sql.gz`,
      parts: 70 - month * 2,
      contentType: 'application/gzip',
    };
    // The newest export also exists under a fixed name.
    if (month === 1)
      yield { ...old, key: 'exports/latest.parquet', parts: 7, contentType: 'application/octet-stream' };
    yield {
      ...old,
      key: `exports/berths/${date}.parquet`,
      parts: upTo(9),
      contentType: 'application/octet-stream',
    };
    if (month % 6 === 0)
      yield {
        ...old,
        key: `backups/images/mole-1-${date}.iso`,
        parts: 60 + upTo(30),
        contentType: 'application/octet-stream',
      };
    if (month < 6)
      yield { ...old, key: `tmp/restore-${date}/database.sql`, parts: 30, contentType: 'application/sql' };
  }
}

/** Returns the storage class for an age: COLD for old objects, because it is cheap to store but expensive to read. */
function classOf(ageDays: number): string {
  return ageDays > 150 ? 'COLD' : 'STANDARD';
}

/**
 * Adds objects of several gigabytes. They take only a few megabytes on disk, because all their parts share the same stored bytes.
 */
export async function largeObjects(
  store: Store,
  nowMs: number,
  idOf: (bucket: string) => number,
): Promise<void> {
  const bytes = seededBytes('a part', partBytes);
  const first = 'raw/2023/contact sheet.tif';
  const facts = { modifiedMs: nowMs - 1000 * dayMs, contentType: 'image/tiff', storageClass: 'COLD' };
  await store.putBytes(idOf('photos'), first, bytes, facts);
  const row = store.object(idOf('photos'), first);
  if (row === null) throw new Error('The part of the large samples was not stored.');
  const part = store.contents.segments(row.content, 0, partBytes);
  const partMd5 = createHash('md5').update(bytes).digest();
  await nextTurn();
  const batches = new Map<string, (readonly [string, NewObject])[]>();
  for (const sample of largeSamples()) {
    const batch = batches.get(sample.bucket) ?? [];
    batches.set(sample.bucket, batch);
    batch.push([sample.key, largeObject(sample, part, partMd5, nowMs)]);
  }
  for (const [bucket, batch] of batches) {
    store.putObjects(idOf(bucket), batch);
    await nextTurn();
  }
}

function largeObject(
  { parts, ageDays, contentType }: LargeSample,
  part: readonly Segment[],
  partMd5: Buffer,
  nowMs: number,
): NewObject {
  const md5s = Buffer.concat(Array.from({ length: parts }, () => partMd5));
  return {
    content: { kind: 'shared', segments: Array.from({ length: parts }, () => part).flat() },
    sizeBytes: parts * partBytes,
    etag: `${createHash('md5').update(md5s).digest('hex')}-${String(parts)}`,
    modifiedMs: nowMs - ageDays * dayMs,
    storageClass: classOf(ageDays),
    attributes: {
      headers: { 'content-type': contentType },
      metadata: {},
      partSizes: Array.from({ length: parts }, () => partBytes),
    },
  };
}
