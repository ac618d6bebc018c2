import { randomUUID, createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../core/store/private-file.ts';
import { inlineBytes, type Attributes, type NewContent, type NewObject } from './model.ts';

const folderName = /^[0-9a-f]{2}$/;
const blobName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stores the content of larger objects and parts in files with generated names. No name is derived from a key. */
export class Blobs {
  readonly #dir: string;
  readonly #temp: string;
  readonly #made = new Set<string>();
  /** Folder names that cannot be used because a file has this name. */
  readonly #reserved: ReadonlySet<string>;
  /** The files in use, with their number of readers. A removed file is unlinked after its last reader ends. */
  readonly #pins = new Map<string, number>();
  readonly #toRemove = new Set<string>();
  readonly #unlinking = new Set<Promise<void>>();
  /** Files that are written but not in the index yet. The sweep skips them. */
  readonly #fresh = new Set<string>();

  constructor(dataDir: string) {
    this.#dir = join(dataDir, 'blobs');
    this.#temp = join(dataDir, 'incoming');
    makePrivateFolder(this.#dir);
    makePrivateFolder(this.#temp);
    this.#reserved = new Set(
      readdirSync(this.#dir, { withFileTypes: true }).flatMap((entry) =>
        folderName.test(entry.name) && !entry.isDirectory() ? [entry.name] : [],
      ),
    );
    // Removes the temporary files of a killed process. They are never part of an object.
    for (const name of readdirSync(this.#temp))
      rmSync(join(this.#temp, name), { recursive: true, force: true });
  }

  path(file: string): string {
    return join(this.#dir, file.slice(0, 2), file);
  }

  async create(): Promise<BlobWriter> {
    const file = this.#newName();
    this.#fresh.add(file);
    const temp = join(this.#temp, file);
    const handle = await open(temp, 'wx', 0o600);
    return new BlobWriter(file, handle, temp, () => this.#finish(file, temp));
  }

  /** Records that a row of the index refers to the file. */
  adopted(file: string): void {
    this.#fresh.delete(file);
  }

  pin(file: string): void {
    this.#pins.set(file, (this.#pins.get(file) ?? 0) + 1);
  }

  unpin(file: string): void {
    const left = (this.#pins.get(file) ?? 1) - 1;
    if (left > 0) {
      this.#pins.set(file, left);
      return;
    }
    this.#pins.delete(file);
    if (this.#toRemove.delete(file)) this.remove(file);
  }

  /** Removes a file whose index row was deleted. If that fails, a later start removes the file. */
  remove(file: string): void {
    this.#fresh.delete(file);
    if (this.#pins.has(file)) {
      this.#toRemove.add(file);
      return;
    }
    const done = rm(this.path(file), { force: true })
      .catch(() => undefined)
      .finally(() => this.#unlinking.delete(done));
    this.#unlinking.add(done);
  }

  /** Resolves once all pending removals have finished. */
  async settled(): Promise<void> {
    while (this.#unlinking.size > 0) await Promise.all(this.#unlinking);
  }

  /** Removes files without an index row, which a killed process left. */
  async sweep(isKnown: (file: string) => boolean, isStopped: () => boolean): Promise<void> {
    // Other programs leave files here (.DS_Store, Thumbs.db), so only names in the service's own format are checked.
    const folders = (await readdir(this.#dir, { withFileTypes: true })).filter(
      (entry) => folderName.test(entry.name) && entry.isDirectory(),
    );
    for (const { name: folder } of folders) {
      for (const file of await readdir(join(this.#dir, folder))) {
        if (isStopped()) return;
        if (!blobName.test(file)) continue;
        if (this.#fresh.has(file) || this.#toRemove.has(file) || isKnown(file)) continue;
        await rm(this.path(file), { force: true });
      }
    }
  }

  #newName(): string {
    if (this.#reserved.size === 256)
      throw new Error(`${this.#dir} contains files of other programs where it stores its own.`);
    for (;;) {
      const file = randomUUID();
      if (!this.#reserved.has(file.slice(0, 2))) return file;
    }
  }

  async #finish(file: string, temp: string): Promise<void> {
    const folder = join(this.#dir, file.slice(0, 2));
    if (!this.#made.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(this.#dir);
      this.#made.add(folder);
    }
    await rename(temp, this.path(file));
    await syncFolder(folder);
  }
}

/** Writes one file under a temporary name, then flushes and renames it. */
export class BlobWriter {
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #temp: string;
  readonly #finish: () => Promise<void>;

  constructor(file: string, handle: FileHandle, temp: string, finish: () => Promise<void>) {
    this.file = file;
    this.#handle = handle;
    this.#temp = temp;
    this.#finish = finish;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.byteLength) {
      const result = await this.#handle.write(bytes, written);
      written += result.bytesWritten;
    }
  }

  async finish(): Promise<void> {
    await this.#handle.sync();
    await this.#handle.close();
    await this.#finish();
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#temp, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot flush a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface ObjectFacts {
  readonly modifiedMs: number;
  readonly contentType?: string;
  readonly storageClass?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Returns bytes as content to store: inline if there are few, otherwise in a new file. */
export async function contentOf(blobs: Blobs, bytes: Uint8Array): Promise<NewContent> {
  if (bytes.byteLength <= inlineBytes) return inlineContent(bytes);
  const writer = await blobs.create();
  try {
    await writer.write(bytes);
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
  return { kind: 'file', file: writer.file, sizeBytes: bytes.byteLength };
}

export function newBytes(content: NewContent, bytes: Uint8Array, facts: ObjectFacts): NewObject {
  const headers: Attributes['headers'] =
    facts.contentType === undefined ? {} : { 'content-type': facts.contentType };
  return {
    content,
    sizeBytes: bytes.byteLength,
    etag: createHash('md5').update(bytes).digest('hex'),
    modifiedMs: facts.modifiedMs,
    storageClass: facts.storageClass ?? 'STANDARD',
    attributes: { headers, metadata: facts.metadata ?? {} },
  };
}

/** Builds a small object for `putObjects`. */
export function smallObject(bytes: Uint8Array, facts: ObjectFacts): NewObject {
  return newBytes(inlineContent(bytes), bytes, facts);
}

/** Returns bytes as content that is stored in the index. */
export function inlineContent(bytes: Uint8Array): NewContent {
  return bytes.byteLength === 0 ? { kind: 'none' } : { kind: 'inline', bytes };
}
