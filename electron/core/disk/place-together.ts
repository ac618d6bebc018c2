import path from 'node:path';
import type { DiskSync } from '../ports.ts';
import {
  unexpectedThreadAnswer,
  type NameRequest,
  type Placed,
  type PlaceRequest,
  type Written,
} from './hash-messages.ts';

/** The two halves of placing small files, which threads run. */
export interface PlacingThreads {
  readonly write: (files: readonly PlaceRequest[]) => Promise<readonly Written[]>;
  readonly name: (files: readonly NameRequest[]) => Promise<readonly Placed[]>;
}

/**
 * Writes small files, flushes them together and then renames them to their final names. Flushes each file separately if the disk
 * has no combined flush. Throws `AppError('internal')` if a thread returns fewer results than files.
 */
export async function placeTogether(
  files: readonly PlaceRequest[],
  threads: PlacingThreads,
  disk: DiskSync,
): Promise<readonly Placed[]> {
  const written = await threads.write(files);
  const results: (Placed | undefined)[] = [];
  const folders = new Map<number, string>();
  const toName: { readonly at: number; readonly file: PlaceRequest; readonly device: number }[] = [];
  for (const [at, file] of files.entries()) {
    const writtenFile = written[at];
    if (writtenFile === undefined) throw unexpectedThreadAnswer();
    if (!('device' in writtenFile)) {
      results[at] = writtenFile;
      continue;
    }
    toName.push({ at, file, device: writtenFile.device });
    if (!folders.has(writtenFile.device)) folders.set(writtenFile.device, path.dirname(file.part));
  }
  const safe = new Set<number>();
  for (const [device, folder] of folders) if (await disk.sync(folder)) safe.add(device);
  const named = await threads.name(
    toName.map(({ file: { part, target, mayReplace }, device }) => ({
      part,
      target,
      mayReplace,
      isSafe: safe.has(device),
    })),
  );
  for (const [index, { at }] of toName.entries()) results[at] = named[index];
  return results.map((result) => {
    if (result === undefined) throw unexpectedThreadAnswer();
    return result;
  });
}
