import { hash } from 'node:crypto';
import { constants, createWriteStream, watch } from 'node:fs';
import { lstat, open, readdir, readFile, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { failure, type AppFailure } from '../../../shared/errors.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { EditPlace } from '../../../shared/models/edits.ts';
import { hasPrivateName } from '../disk/fence.ts';
import { codeOf } from '../disk/small-files.ts';
import { safeFileName } from '../files/local-names.ts';
import { absentAsNull, writeFileAtomically } from '../store/safe-files.ts';

/** The record stored beside a copy, so that a crash loses no save. It describes the source object and the copy's content. */
const editRecordSchema = z.object({
  version: z.literal(1),
  connectionId: z.string(),
  bucket: z.string(),
  key: z.string(),
  fileName: z.string(),
  /** The ETag of the object from which the file was made, or to which it was last sent. */
  etag: z.string().nullable(),
  /** The MD5 of the content in the bucket. */
  md5: z.string(),
});

export type EditRecord = Readonly<z.infer<typeof editRecordSchema>>;

/** Returns true if the record is that of the object at this place. */
export function isRecordOf(record: EditRecord, place: EditPlace): boolean {
  return (
    record.connectionId === place.connectionId && record.bucket === place.bucket && record.key === place.key
  );
}

const recordName = 'edit.json';

/** Returns the name of an object's copy on disk, which is never the name of its record. */
export function copyNameOf(key: string): string {
  const name = safeFileName(lastSegment(key));
  return isCopyName(name) ? name : `_${name}`;
}

/** Returns false for the names of records. Earlier versions gave such a name to the copy of an object called `edit.json`. */
export function isCopyName(name: string): boolean {
  return !name.toLowerCase().startsWith(recordName);
}

/**
 * Reads the record. Returns null if there is none, which means that the object was not downloaded completely. Throws if it cannot
 * be read.
 */
export async function readRecord(dir: string): Promise<EditRecord | null> {
  const text = await absentAsNull(readFile(path.join(dir, recordName), 'utf8'));
  return text === null ? null : editRecordSchema.parse(JSON.parse(text));
}

/**
 * Reads the record of an edit of an earlier run. Returns null if the folder holds no unsent changes. Throws if the folder must be
 * kept for the user.
 */
export async function unsentRecord(dir: string): Promise<EditRecord | null> {
  const record = await readRecord(dir);
  // Without a record, the download did not complete, so no program has opened the file.
  if (record === null) return null;
  if (!isCopyName(record.fileName))
    throw failure('storage', 'The record of the edited file is in the place of the file.');
  const file = path.join(dir, record.fileName);
  const isMissing = (await fileSizeBytes(file)) === null;
  if (isMissing && (await holdsFiles(dir)))
    throw failure('storage', 'The edited file is missing, and its folder contains other files.');
  return isMissing || (await md5Of(file)) === record.md5 ? null : record;
}

export async function writeRecord(dir: string, record: EditRecord, suffix: string): Promise<void> {
  await writeFileAtomically(path.join(dir, recordName), JSON.stringify(record), { suffix });
}

/**
 * Removes the folder of an edit. Removes the record first, so that a later start does not send the copy if the folder cannot be
 * removed now, for example because a program on Windows has the file open.
 */
export async function removeFolder(dir: string): Promise<void> {
  await rm(path.join(dir, recordName), { force: true });
  await rm(dir, { recursive: true, force: true });
}

/** Returns the MD5 of a copy in hex. Throws AppError('storage') if the file cannot be read. */
export async function md5Of(file: string): Promise<string> {
  return hash('md5', await readCopy(file));
}

/**
 * Reads the copy. Throws if a link or another file of the data folder has replaced it, because that file must not be sent to the
 * bucket.
 */
export async function readCopy(file: string): Promise<Buffer> {
  const handle = await openCopy(file);
  try {
    if (!(await handle.stat()).isFile() || hasPrivateName(handle.fd)) throw replacedCopy();
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function openCopy(file: string): Promise<FileHandle> {
  // Windows has no flag to refuse links, so the file is checked before it is opened.
  if ((await lstat(file)).isSymbolicLink()) throw replacedCopy();
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return await open(file, flags).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ELOOP') throw replacedCopy();
    throw thrown;
  });
}

function replacedCopy(): AppFailure {
  return failure('storage', 'The opened file was replaced by another kind of entry.', {
    reason: 'edit-replaced',
    retry: 'after-fix',
  });
}

/** Returns the size in bytes; null if the file does not exist. Throws if it cannot be read. */
export async function fileSizeBytes(file: string): Promise<number | null> {
  return (await absentAsNull(lstat(file)))?.size ?? null;
}

/** Returns true if the folder contains more than the record. Another program's file in it may be the user's only copy. */
export async function holdsFiles(dir: string): Promise<boolean> {
  return (await readdir(dir)).some((name) => !name.startsWith(recordName));
}

/** Stores a body in a file. Throws if it exceeds the limit, because the response may not announce its length. */
export async function store(
  body: Readable,
  file: string,
  signal: AbortSignal,
  maxBytes: number,
): Promise<void> {
  const target = createWriteStream(file, { mode: 0o600, flush: true, flags: 'wx' });
  await pipeline(body, (chunks: AsyncIterable<Uint8Array>) => limitBytes(chunks, maxBytes), target, {
    signal,
  });
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let totalBytes = 0;
  for await (const chunk of chunks) {
    totalBytes += chunk.byteLength;
    if (totalBytes > maxBytes) throw tooLarge();
    yield chunk;
  }
}

export function tooLarge(): AppFailure {
  return failure('invalid-argument', 'This file is too large to be edited from the bucket.', {
    reason: 'edit-too-large',
  });
}

/** Returns the error of a save that could not be written to disk. */
export function saveFailure(thrown: unknown): AppFailure {
  return failure('storage', 'The text could not be written to the data folder.', {
    reason: 'edit-not-kept',
    retry: 'after-fix',
    cause: thrown,
  });
}

/** The time in ms without changes after which a save is complete, because programs write a file in several steps. */
const settleMs = 400;

/**
 * Calls `onSaved` after each save of the copy; returns a function that stops it. Watches the folder rather than the file, because
 * programs save by writing the file or by replacing it.
 */
export function watchSaves(dir: string, onSaved: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const watcher = watch(dir, (_event, name) => {
    if (name?.startsWith(recordName) === true) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onSaved, settleMs);
  });
  watcher.on('error', () => watcher.close());
  return () => {
    if (timer !== null) clearTimeout(timer);
    watcher.close();
  };
}
