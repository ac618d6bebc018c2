import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ChecksumAlgorithm } from '../checksums.ts';
import { keyBytes } from '../encoding.ts';
import { Blobs } from './blobs.ts';
import { Contents, type ContentReader } from './contents.ts';
import { contentOf, newBytes, type ObjectFacts } from './bytes.ts';
import { listPage } from './listing.ts';
import {
  decodeAttributes,
  encodeAttributes,
  type Attributes,
  type BucketRow,
  type ChecksumType,
  type ContentId,
  type ListedObject,
  type ListPage,
  type ListQuery,
  type NewObject,
  type NewPart,
  type ObjectRow,
  type PartRow,
  type Segment,
  type UploadRow,
} from './model.ts';
import { openIndex } from './schema.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { Uploads, type UploadQuery } from './uploads.ts';

/** The largest number of parts of one upload. */
export const largestPartNumber = 10_000;

export interface NewUpload {
  readonly initiatedMs: number;
  readonly storageClass: string;
  readonly attributes: Attributes;
  readonly checksumAlgorithm: ChecksumAlgorithm | null;
  readonly checksumType: ChecksumType | null;
}

/** Buckets, objects and uploads in a folder. Every change is one transaction: it is there whole or not at all. */
export class Store {
  readonly blobs: Blobs;
  readonly #db: DatabaseSync;
  readonly #contents: Contents;
  readonly #uploads: Uploads;
  readonly #statements: Statements;
  #isClosed = false;
  /** Whether every file of the folder belongs to something. */
  #isClean = true;
  #sweep: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.#db = openIndex(dataDir);
    this.blobs = new Blobs(dataDir);
    this.#contents = new Contents(this.#db, this.blobs);
    this.#uploads = new Uploads(this.#db);
    this.#statements = prepareStatements(this.#db);
    // After a clean end there is nothing to sweep, and a folder of a million files is not read.
    const wasClosed = this.meta('closed') !== null;
    this.#statements.deleteMeta.run('closed');
    if (wasClosed) return;
    this.#isClean = false;
    this.#sweep = this.#sweepLater();
  }

  /** Ends once the files that a killed process left behind are gone. */
  get swept(): Promise<void> {
    return this.#sweep;
  }

  /** Whether a file of the folder belongs to an object or a part. */
  isKnownFile(file: string): boolean {
    return this.#contents.isKnownFile(file);
  }

  meta(name: string): Buffer | null {
    const value = this.#statements.getMeta.get(name)?.['value'];
    return value instanceof Uint8Array ? Buffer.from(value) : null;
  }

  setMeta(name: string, value: Uint8Array): void {
    this.#statements.setMeta.run(name, value);
  }

  buckets(): BucketRow[] {
    return this.#statements.buckets.all().map(toBucket);
  }

  bucket(name: string): BucketRow | null {
    const row = this.#statements.bucket.get(name);
    return row === undefined ? null : toBucket(row);
  }

  /** null: the bucket exists already. */
  createBucket(name: string, createdMs: number): BucketRow | null {
    if (this.bucket(name) !== null) return null;
    const id = Number(this.#statements.insertBucket.run(name, createdMs).lastInsertRowid);
    return { id, name, createdMs };
  }

  /** false: it holds objects. Unfinished uploads go with the bucket, as on AWS. */
  deleteBucket(bucketId: number): boolean {
    if (this.#statements.anyObject.get(bucketId) !== undefined) return false;
    this.transaction(() => {
      const files = this.#uploads.idsOf(bucketId).flatMap((id) => this.#dropUpload(id));
      this.#statements.deleteBucket.run(bucketId);
      // Its number may be given to another bucket.
      this.setBucketTags(bucketId, null);
      return files;
    });
    return true;
  }

  /** null: there are none. */
  bucketTags(bucketId: number): readonly (readonly [key: string, value: string])[] | null {
    const stored = this.meta(`tags:${bucketId}`);
    return stored === null ? null : (JSON.parse(stored.toString('utf8')) as [string, string][]);
  }

  setBucketTags(bucketId: number, tags: readonly (readonly [key: string, value: string])[] | null): void {
    if (tags === null) this.#statements.deleteMeta.run(`tags:${bucketId}`);
    else this.setMeta(`tags:${bucketId}`, Buffer.from(JSON.stringify(tags)));
  }

  object(bucketId: number, key: string): ObjectRow | null {
    const row = this.#statements.object.get(bucketId, keyBytes(key));
    return row === undefined ? null : toObject(key, row);
  }

  list(bucketId: number, query: ListQuery): ListPage<ListedObject> {
    return listPage<ListedObject>(
      query,
      (row) => row.key,
      (from, to, limit) => listedRows(this.#statements.range.all(bucketId, from, to, limit)),
      (from, to, limit) => {
        const delimiter = keyBytes(query.delimiter);
        const values = {
          bucket: bucketId,
          from,
          to,
          limit,
          delimiter,
          delimiter_size: delimiter.byteLength,
          above: Buffer.of((delimiter.at(-1) ?? 0) + 1),
          tail: keyBytes(query.prefix).byteLength + 1,
        };
        return listedRows(this.#statements.skip.all(values));
      },
    );
  }

  /** Puts an object; `allow` sees what stands there now, and throws to refuse. */
  putObject(
    bucketId: number,
    key: string,
    object: NewObject,
    allow?: (existing: ObjectRow | null) => void,
  ): void {
    this.transaction(() => this.#put(bucketId, key, object, allow));
  }

  /** An object from bytes in memory. */
  async putBytes(bucketId: number, key: string, bytes: Uint8Array, facts: ObjectFacts): Promise<void> {
    const content = await contentOf(this.blobs, bytes);
    this.putObject(bucketId, key, { ...newBytes(content, bytes, facts) });
  }

  /** Many objects in one transaction: quick, and there all together or not at all. */
  putObjects(bucketId: number, objects: Iterable<readonly [key: string, object: NewObject]>): void {
    this.transaction(() => {
      const files: string[] = [];
      for (const [key, object] of objects) files.push(...this.#put(bucketId, key, object));
      return files;
    });
  }

  /** Changes what belongs to an object besides its bytes; its time stays. false: there was none. */
  changeAttributes(bucketId: number, key: string, change: (before: Attributes) => Attributes): boolean {
    let found = false;
    this.transaction(() => {
      const existing = this.object(bucketId, key);
      if (existing === null) return [];
      found = true;
      const head = encodeAttributes(change(existing.attributes));
      this.#statements.setAttributes.run(head, bucketId, keyBytes(key));
      return [];
    });
    return found;
  }

  /** false: there was none. */
  deleteObject(bucketId: number, key: string, allow?: (existing: ObjectRow | null) => void): boolean {
    let found = false;
    this.transaction(() => {
      const existing = this.object(bucketId, key);
      allow?.(existing);
      if (existing === null) return [];
      found = true;
      return this.#delete(bucketId, key, existing);
    });
    return found;
  }

  /** Many keys in one transaction, so that the disk is waited for once; `allow` says of each whether it may go. */
  deleteObjects<T extends { readonly key: string }>(
    bucketId: number,
    doomed: readonly T[],
    allow: (one: T, existing: ObjectRow | null) => boolean,
  ): void {
    this.transaction(() => {
      const files: string[] = [];
      for (const one of doomed) {
        const existing = this.object(bucketId, one.key);
        if (allow(one, existing) && existing !== null)
          files.push(...this.#delete(bucketId, one.key, existing));
      }
      return files;
    });
  }

  /** The bytes first..end of a content (end excluded), pinned until the reader is released. */
  read(content: ContentId, first: number, end: number): ContentReader {
    return this.#contents.reader(content, first, end);
  }

  segments(content: ContentId, first: number, end: number): Segment[] {
    return this.#contents.segments(content, first, end);
  }

  createUpload(bucketId: number, key: string, upload: NewUpload): string {
    // Ids begin with the time, so that uploads of one key sort by their age, as AWS lists them.
    const id = upload.initiatedMs.toString(36).padStart(9, '0') + randomBytes(20).toString('hex');
    this.#uploads.insert({ ...upload, id, bucketId, key });
    return id;
  }

  upload(id: string): UploadRow | null {
    return this.#uploads.get(id);
  }

  listUploads(bucketId: number, query: UploadQuery): ListPage<UploadRow> {
    return this.#uploads.list(bucketId, query);
  }

  parts(uploadId: string, afterNumber: number, limit: number): PartRow[] {
    return this.#uploads.parts(uploadId, afterNumber, limit);
  }

  part(uploadId: string, number: number): PartRow | null {
    return this.#uploads.part(uploadId, number);
  }

  /** false: the upload has gone in the meantime. */
  putPart(uploadId: string, number: number, part: NewPart): boolean {
    let found = false;
    this.transaction(() => {
      if (this.#uploads.get(uploadId) === null) return [];
      found = true;
      const before = this.#uploads.part(uploadId, number);
      const content = this.#contents.add(part.content);
      this.#uploads.putPart(uploadId, number, part, content);
      return before === null ? [] : this.#contents.drop(before.content);
    });
    if (found) this.#adopted(part.content);
    return found;
  }

  /** A part from bytes in memory. */
  async putPartBytes(uploadId: string, number: number, bytes: Uint8Array, modifiedMs: number): Promise<void> {
    const content = await contentOf(this.blobs, bytes);
    const etag = createHash('md5').update(bytes).digest('hex');
    this.putPart(uploadId, number, { content, sizeBytes: bytes.byteLength, etag, modifiedMs, checksums: {} });
  }

  /** false: there is no such upload. */
  abortUpload(uploadId: string): boolean {
    let found = false;
    this.transaction(() => {
      if (this.#uploads.get(uploadId) === null) return [];
      found = true;
      return this.#dropUpload(uploadId);
    });
    return found;
  }

  /**
   * Turns parts into an object and forgets the upload, in one transaction. The object is a manifest of the parts' own
   * chunks: no byte is copied, so it takes the same time for a megabyte and a terabyte.
   */
  completeUpload(
    upload: UploadRow,
    parts: readonly PartRow[],
    object: Omit<NewObject, 'content'>,
    allow: (existing: ObjectRow | null) => void,
  ): void {
    this.transaction(() => {
      const segments = parts.flatMap((part) => this.segments(part.content, 0, part.sizeBytes));
      const files = this.#put(
        upload.bucketId,
        upload.key,
        { ...object, content: { kind: 'shared', segments } },
        allow,
      );
      return [...files, ...this.#dropUpload(upload.id)];
    });
  }

  /** Runs `change` in a transaction; the files it returns are removed once it is on the disk. */
  transaction(change: () => readonly string[]): void {
    this.#db.exec('BEGIN IMMEDIATE');
    let files: readonly string[];
    try {
      files = change();
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    for (const file of files) this.blobs.remove(file);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#sweep;
    await this.blobs.settled();
    if (this.#isClean) this.setMeta('closed', Buffer.of(1));
    this.#db.close();
  }

  #delete(bucketId: number, key: string, existing: ObjectRow): readonly string[] {
    this.#statements.deleteObject.run(bucketId, keyBytes(key));
    return this.#contents.drop(existing.content);
  }

  #put(
    bucketId: number,
    key: string,
    object: NewObject,
    allow?: (existing: ObjectRow | null) => void,
  ): readonly string[] {
    const bytes = keyBytes(key);
    const row = this.#statements.object.get(bucketId, bytes);
    allow?.(row === undefined ? null : toObject(key, row));
    const content = this.#contents.add(object.content);
    this.#statements.putObject.run(
      bucketId,
      bytes,
      object.sizeBytes,
      object.etag,
      object.modifiedMs,
      object.storageClass,
      content,
      encodeAttributes(object.attributes),
    );
    this.#adopted(object.content);
    return row === undefined ? [] : this.#contents.drop(Number(row['content']));
  }

  #dropUpload(uploadId: string): string[] {
    const files: string[] = [];
    for (const part of this.#uploads.parts(uploadId, 0, largestPartNumber)) {
      files.push(...this.#contents.drop(part.content));
    }
    this.#uploads.delete(uploadId);
    return files;
  }

  #adopted(content: NewObject['content']): void {
    if (content.kind === 'file') this.blobs.adopted(content.file);
  }

  async #sweepLater(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.blobs.sweep(
        (file) => this.#isClosed || this.#contents.isKnownFile(file),
        () => this.#isClosed,
      );
      this.#isClean = !this.#isClosed;
    } catch {
      // A file that cannot be removed costs room and nothing else; the folder stays unclean and is swept at the next start.
    }
  }
}

type Row = Readonly<Record<string, unknown>>;
type ListedTuple = readonly [string, number, string, number, string];

function toBucket(row: Row): BucketRow {
  return { id: Number(row['id']), name: String(row['name']), createdMs: Number(row['created_ms']) };
}

function toObject(key: string, row: Row): ObjectRow {
  return {
    key,
    sizeBytes: Number(row['size']),
    etag: String(row['etag']),
    modifiedMs: Number(row['modified_ms']),
    storageClass: String(row['storage_class']),
    content: Number(row['content']),
    attributes: decodeAttributes(row['head']),
  };
}

/** Rows of a statement that returns arrays, which node:sqlite's types do not know of. */
function listedRows(rows: unknown): ListedObject[] {
  return (rows as readonly ListedTuple[]).map(([key, sizeBytes, etag, modifiedMs, storageClass]) => {
    return { key, sizeBytes, etag, modifiedMs, storageClass };
  });
}
