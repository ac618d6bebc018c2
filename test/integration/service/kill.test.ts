import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Store } from '../../support/lab-service/server.ts';
import type { ObjectRow } from '../../../electron/service/store/model.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { isWhole } from '../../support/sample.ts';
import { endsWithTest } from '../../support/test-child.ts';

const writer = fileURLToPath(new URL('kill-writer.ts', import.meta.url));
const rounds = isWhole ? 12 : 6;

async function readWhole(store: Store, object: ObjectRow): Promise<string> {
  const reader = store.contents.reader(object.content, 0, object.sizeBytes);
  let text = '';
  try {
    for await (const chunk of reader.stream()) text += chunk.toString('latin1');
  } finally {
    reader.release();
  }
  return text;
}

/** Runs the writer for a while and kills it with SIGKILL, as the system does when memory runs out. */
async function writeAndKill(dataDir: string, afterMs: number): Promise<void> {
  const child = endsWithTest(
    spawn(process.execPath, [writer, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await sleep(afterMs);
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

test(`after SIGKILL while writing, ${rounds} times, every object is complete or absent`, async () => {
  const dataDir = tempDir();
  let seen = 0;
  for (let round = 0; round < rounds; round++) {
    // The times vary: early kills hit the first write, later ones hit the overwriting.
    await writeAndKill(dataDir, [0, 3, 11, 25, 60, 140][round % 6] ?? 0);
    const store = new Store(dataDir);
    try {
      await store.swept;
      const bucketId = store.buckets.get('bucket')?.id ?? -1;
      const page = store.list(bucketId, { prefix: '', delimiter: '', after: null, limit: 1000 });
      for (const { key } of page.rows) {
        const object = store.object(bucketId, key);
        if (object === null) throw new Error(`${key} is listed and not there.`);
        const text = await readWhole(store, object);
        const [size, letter = ''] = text.slice(0, text.indexOf('\n')).split(' ');
        const isWhole =
          text.length === object.sizeBytes &&
          text.length === Number(size) &&
          text.slice(text.indexOf('\n') + 1) === letter.repeat(text.length - `${size} ${letter}\n`.length);
        expect({ key, isWhole }).toEqual({ key, isWhole: true });
        seen++;
      }
      expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
      expect(filesWithoutOwner(store, dataDir)).toEqual([]);
    } finally {
      await store.close();
    }
  }
  expect(seen).toBeGreaterThan(rounds);
});

function filesWithoutOwner(store: Store, dataDir: string): string[] {
  const blobs = join(dataDir, 'blobs');
  return readdirSync(blobs)
    .flatMap((folder) => readdirSync(join(blobs, folder)))
    .filter((file) => !store.contents.isKnownFile(file));
}
