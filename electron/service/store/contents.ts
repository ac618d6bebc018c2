import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { open } from 'node:fs/promises';
import type { Blobs } from './blobs.ts';
import type { ContentId, NewContent, Segment } from './model.ts';
import { assertNever } from '../../../shared/assert-never.ts';

const readBytes = 256 * 1024;

/** A reader of stored bytes. They stay on disk until `release` is called, even if the object is deleted. */
export interface ContentReader {
  readonly sizeBytes: number;
  /** All bytes if they are already in memory; null otherwise. */
  readonly bytesInMemory: Buffer | null;
  stream(): AsyncGenerator<Buffer, void, void>;
  release(): void;
}

interface Piece {
  readonly file: string | null;
  readonly bytes: Uint8Array | null;
  readonly start: number;
  readonly size: number;
}

/** Stores content as reference-counted chunks, and as manifests that join chunks. */
export class Contents {
  readonly #blobs: Blobs;
  readonly #insertChunk: StatementSync;
  readonly #addReference: StatementSync;
  readonly #dropReference: StatementSync;
  readonly #deleteChunk: StatementSync;
  readonly #chunk: StatementSync;
  readonly #insertManifest: StatementSync;
  readonly #deleteManifest: StatementSync;
  readonly #insertSegment: StatementSync;
  readonly #segments: StatementSync;
  readonly #deleteSegments: StatementSync;
  readonly #known: StatementSync;

  constructor(db: DatabaseSync, blobs: Blobs) {
    this.#blobs = blobs;
    this.#insertChunk = db.prepare('INSERT INTO chunks (refs, size, bytes, file) VALUES (1, ?, ?, ?)');
    this.#addReference = db.prepare('UPDATE chunks SET refs = refs + 1 WHERE id = ?');
    this.#dropReference = db.prepare('UPDATE chunks SET refs = refs - 1 WHERE id = ? RETURNING refs, file');
    this.#deleteChunk = db.prepare('DELETE FROM chunks WHERE id = ?');
    this.#chunk = db.prepare('SELECT size, bytes, file FROM chunks WHERE id = ?');
    this.#insertManifest = db.prepare('INSERT INTO manifests DEFAULT VALUES');
    this.#deleteManifest = db.prepare('DELETE FROM manifests WHERE id = ?');
    this.#insertSegment = db.prepare(
      'INSERT INTO segments (manifest, seq, chunk, start, size) VALUES (?, ?, ?, ?, ?)',
    );
    this.#segments = db.prepare('SELECT chunk, start, size FROM segments WHERE manifest = ? ORDER BY seq');
    this.#deleteSegments = db.prepare('DELETE FROM segments WHERE manifest = ?');
    this.#known = db.prepare('SELECT 1 FROM chunks WHERE file = ?');
  }

  isKnownFile(file: string): boolean {
    return this.#known.get(file) !== undefined;
  }

  /** Adds new bytes to the index. Must run inside a transaction. */
  add(content: NewContent): ContentId {
    switch (content.kind) {
      case 'none':
        return 0;
      case 'inline':
        return Number(this.#insertChunk.run(content.bytes.byteLength, content.bytes, null).lastInsertRowid);
      case 'file':
        return Number(this.#insertChunk.run(content.sizeBytes, null, content.file).lastInsertRowid);
      case 'shared':
        return this.#share(content.segments);
      default:
        return assertNever(content);
    }
  }

  /** Returns the segments of the bytes from `first` to before `end`. */
  segments(content: ContentId, first: number, end: number): Segment[] {
    if (content === 0 || end <= first) return [];
    if (content > 0) return [{ chunk: content, start: first, size: end - first }];
    const cutSegments: Segment[] = [];
    let offset = 0;
    for (const row of this.#segments.all(-content)) {
      const size = Number(row['size']);
      const from = Math.max(first - offset, 0);
      const to = Math.min(end - offset, size);
      if (to > from) {
        cutSegments.push({
          chunk: Number(row['chunk']),
          start: Number(row['start']) + from,
          size: to - from,
        });
      }
      offset += size;
      if (offset >= end) break;
    }
    return cutSegments;
  }

  /** Removes one reference to a content. Returns the files that are unused now. The caller must remove them after the commit. */
  drop(content: ContentId): string[] {
    if (content === 0) return [];
    if (content > 0) return this.#dropChunk(content);
    const files: string[] = [];
    for (const row of this.#segments.all(-content)) files.push(...this.#dropChunk(Number(row['chunk'])));
    this.#deleteSegments.run(-content);
    this.#deleteManifest.run(-content);
    return files;
  }

  /** Returns a reader of the bytes from `first` to before `end`. */
  reader(content: ContentId, first: number, end: number): ContentReader {
    const pieces = this.segments(content, first, end).map((segment) => this.#piece(segment));
    const files = pieces.flatMap((piece) => (piece.file === null ? [] : [piece.file]));
    for (const file of files) this.#blobs.pin(file);
    let isReleased = false;
    return {
      sizeBytes: end - first,
      bytesInMemory: findBytesInMemory(pieces),
      stream: () => this.#read(pieces),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const file of files) this.#blobs.unpin(file);
      },
    };
  }

  #share(segments: readonly Segment[]): ContentId {
    for (const segment of segments) this.#addReference.run(segment.chunk);
    const only = segments.length === 1 ? segments[0] : undefined;
    if (segments.length === 0) return 0;
    if (only !== undefined && only.start === 0) {
      const isWholeChunk = Number(this.#chunk.get(only.chunk)?.['size']) === only.size;
      if (isWholeChunk) return only.chunk;
    }
    const manifest = Number(this.#insertManifest.run().lastInsertRowid);
    for (const [seq, segment] of segments.entries()) {
      this.#insertSegment.run(manifest, seq, segment.chunk, segment.start, segment.size);
    }
    return -manifest;
  }

  #dropChunk(id: number): string[] {
    const row = this.#dropReference.get(id);
    if (row === undefined || Number(row['refs']) > 0) return [];
    this.#deleteChunk.run(id);
    return typeof row['file'] === 'string' ? [row['file']] : [];
  }

  #piece(segment: Segment): Piece {
    const row = this.#chunk.get(segment.chunk);
    if (row === undefined) throw new Error(`The index has no chunk ${segment.chunk}.`);
    const file = typeof row['file'] === 'string' ? row['file'] : null;
    const bytes = row['bytes'] instanceof Uint8Array ? row['bytes'] : null;
    return { file, bytes, start: segment.start, size: segment.size };
  }

  async *#read(pieces: readonly Piece[]): AsyncGenerator<Buffer, void, void> {
    for (const piece of pieces) {
      if (piece.bytes !== null) {
        yield cut(piece.bytes, piece);
      } else if (piece.file !== null) {
        yield* readFile(this.#blobs.path(piece.file), piece.start, piece.size);
      }
    }
  }
}

function findBytesInMemory(pieces: readonly Piece[]): Buffer | null {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined && only.bytes !== null ? cut(only.bytes, only) : null;
}

/** Returns a view of bytes from the index, without copying them. */
function cut(bytes: Uint8Array, { start, size }: Pick<Piece, 'start' | 'size'>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, size);
}

async function* readFile(path: string, start: number, size: number): AsyncGenerator<Buffer, void, void> {
  const handle = await open(path, 'r');
  try {
    let position = start;
    const end = start + size;
    while (position < end) {
      const chunkBytes = Math.min(readBytes, end - position);
      // Allocates a new buffer for each read, because the socket uses the previous one until it is sent.
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(chunkBytes),
        0,
        chunkBytes,
        position,
      );
      if (bytesRead === 0)
        throw new Error('A file of the object storage folder is shorter than its index says.');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
