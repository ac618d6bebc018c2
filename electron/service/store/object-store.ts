import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Buckets } from './bucket-rows.ts';
import { Contents } from './contents.ts';
import { contentOf, newBytes, type ObjectFacts, Blobs } from './blobs.ts';
import {
  largestPartNumber,
  type Attributes,
  type ListedObject,
  type ListedVersion,
  type ListPage,
  type ListQuery,
  type NewObject,
  type NewPart,
  type NewUpload,
  type ObjectRow,
  type PartRow,
  type UploadRow,
  type Versioning,
  type VersionRow,
} from './model.ts';
import { Objects, type Change, type Removed } from './object-rows.ts';
import { openIndex } from './service-schema.ts';
import { Uploads } from './upload-rows.ts';
import type { VersionQuery } from './version-rows.ts';

export interface Deletion {
  /** The version to delete; null deletes the key. */
  readonly version?: string | null;
  /** The time of the new delete marker, in milliseconds since 1970. */
  readonly nowMs?: number;
  /** Called with the object to delete, or null. Throws to prevent the deletion. */
  readonly allow?: (existing: ObjectRow | null) => void;
}

export interface ObjectToDelete {
  readonly key: string;
  readonly version: string | null;
}

/** Stores buckets, objects and uploads in a folder. Every change is one transaction. */
export class Store {
  readonly blobs: Blobs;
  readonly buckets: Buckets;
  readonly contents: Contents;
  readonly uploads: Uploads;
  readonly #db: DatabaseSync;
  readonly #objects: Objects;
  #isClosed = false;
  /** False while the folder may hold files without an index row. */
  #isClean = true;
  #sweep: Promise<void> = Promise.resolve();

  /** Opens the store of a folder. Throws DataFolderInUse while another process has it open. */
  constructor(dataDir: string) {
    this.#db = openIndex(dataDir);
    this.blobs = new Blobs(dataDir);
    this.contents = new Contents(this.#db, this.blobs);
    this.uploads = new Uploads(this.#db);
    this.#objects = new Objects(this.#db, this.contents);
    this.buckets = new Buckets(this.#db);
    // Skips the sweep after a clean shutdown, because listing a million files is slow.
    const wasClosed = this.buckets.meta('closed') !== null;
    this.buckets.setMeta('closed', null);
    if (wasClosed) return;
    this.#isClean = false;
    this.#sweep = this.#sweepLater();
  }

  /** Resolves once the files that a killed process left are removed. */
  get swept(): Promise<void> {
    return this.#sweep;
  }

  /**
   * Deletes a bucket and its incomplete uploads, as AWS does. Returns false if it contains objects, versions or delete markers.
   */
  deleteBucket(bucketId: number): boolean {
    if (this.#objects.hasAny(bucketId)) return false;
    this.transaction(() => {
      const files = this.uploads.idsOf(bucketId).flatMap((id) => this.#dropUpload(id));
      this.buckets.delete(bucketId);
      return files;
    });
    return true;
  }

  setVersioning(bucketId: number, state: Exclude<Versioning, 'Never'>): void {
    this.#objects.setVersioning(bucketId, state);
  }

  /** Returns the current object; null if there is none or the latest version is a delete marker. */
  object(bucketId: number, key: string): ObjectRow | null {
    return this.#objects.current(bucketId, key);
  }

  /** Returns a version by its id, or the latest version of a key. Either may be a delete marker. */
  version(bucketId: number, key: string, version: string | null): VersionRow | null {
    return version === null
      ? this.#objects.latest(bucketId, key)
      : this.#objects.version(bucketId, key, version);
  }

  listVersions(bucketId: number, query: VersionQuery): ListPage<ListedVersion> {
    return this.#objects.rows.list(bucketId, query);
  }

  list(bucketId: number, query: ListQuery): ListPage<ListedObject> {
    return this.#objects.list(bucketId, query);
  }

  /**
   * Stores an object. `allow` is called with the existing object and throws to prevent the write. Returns the version; null if
   * the bucket has none.
   */
  putObject(
    bucketId: number,
    key: string,
    object: NewObject,
    allow?: (existing: ObjectRow | null) => void,
  ): string | null {
    return this.#change(() => this.#put(bucketId, key, object, allow));
  }

  /** Stores an object whose content is in memory. */
  async putBytes(bucketId: number, key: string, bytes: Uint8Array, facts: ObjectFacts): Promise<void> {
    const content = await contentOf(this.blobs, bytes);
    this.putObject(bucketId, key, newBytes(content, bytes, facts));
  }

  /** Stores many objects in one transaction: either all or none. */
  putObjects(bucketId: number, objects: Iterable<readonly [key: string, object: NewObject]>): void {
    this.transaction(() => {
      const files: string[] = [];
      for (const [key, object] of objects) files.push(...this.#put(bucketId, key, object).files);
      return files;
    });
  }

  /** Changes the attributes of an object (or one version), but not its content and time. */
  changeAttributes(
    bucketId: number,
    key: string,
    change: (before: Attributes) => Attributes,
    version: string | null = null,
  ): void {
    this.transaction(() => {
      this.#objects.changeAttributes(bucketId, key, version, change);
      return [];
    });
  }

  /** Deletes a key, or one version permanently. In a versioned bucket, deleting a key adds a delete marker. */
  deleteObject(bucketId: number, key: string, how: Deletion = {}): Removed {
    const { version = null, nowMs = Date.now(), allow } = how;
    return this.#change(() => this.#objects.remove(bucketId, key, version, nowMs, allow));
  }

  /** Deletes many keys in one transaction, which needs only one flush to disk. `allow` decides for each whether to delete it. */
  deleteObjects<T extends ObjectToDelete>(
    bucketId: number,
    toDelete: readonly T[],
    nowMs: number,
    allow: (object: T, existing: ObjectRow | null) => boolean,
    done: (object: T, removed: Removed) => void,
  ): void {
    this.transaction(() => {
      const files: string[] = [];
      for (const object of toDelete) {
        if (!allow(object, this.#objects.object(bucketId, object.key, object.version))) continue;
        const change = this.#objects.remove(bucketId, object.key, object.version, nowMs);
        done(object, change.made);
        files.push(...change.files);
      }
      return files;
    });
  }

  createUpload(bucketId: number, key: string, upload: NewUpload): string {
    // Ids start with the time, so that uploads of one key sort by age as on AWS.
    const id = upload.initiatedMs.toString(36).padStart(9, '0') + randomBytes(20).toString('hex');
    this.uploads.insert({ ...upload, id, bucketId, key });
    return id;
  }

  /** Stores a part. Returns false if the upload no longer exists. */
  putPart(uploadId: string, number: number, part: NewPart): boolean {
    const isFound = this.#change(() => {
      if (this.uploads.get(uploadId) === null) return { made: false, files: [] };
      const before = this.uploads.part(uploadId, number);
      const content = this.contents.add(part.content);
      this.uploads.putPart(uploadId, number, part, content);
      return { made: true, files: before === null ? [] : this.contents.drop(before.content) };
    });
    if (isFound) this.#adopted(part.content);
    return isFound;
  }

  /** Stores a part whose content is in memory. */
  async putPartBytes(uploadId: string, number: number, bytes: Uint8Array, modifiedMs: number): Promise<void> {
    const content = await contentOf(this.blobs, bytes);
    const etag = createHash('md5').update(bytes).digest('hex');
    this.putPart(uploadId, number, { content, sizeBytes: bytes.byteLength, etag, modifiedMs, checksums: {} });
  }

  /** Aborts an upload. Returns false if it does not exist. */
  abortUpload(uploadId: string): boolean {
    return this.#change(() => {
      if (this.uploads.get(uploadId) === null) return { made: false, files: [] };
      return { made: true, files: this.#dropUpload(uploadId) };
    });
  }

  /**
   * Joins parts into an object and deletes the upload, in one transaction. The object is a manifest of the parts' chunks. No
   * content is copied, so the time does not depend on the size.
   */
  completeUpload(
    upload: UploadRow,
    parts: readonly PartRow[],
    object: Omit<NewObject, 'content'>,
    allow: (existing: ObjectRow | null) => void,
  ): string | null {
    return this.#change(() => {
      const segments = parts.flatMap((part) => this.contents.segments(part.content, 0, part.sizeBytes));
      const content = { kind: 'shared', segments } as const;
      const { made, files } = this.#put(upload.bucketId, upload.key, { ...object, content }, allow);
      return { made, files: [...files, ...this.#dropUpload(upload.id)] };
    });
  }

  /** Runs `change` in a transaction, then removes the files that it returns. */
  transaction(change: () => readonly string[]): void {
    this.#change(() => ({ made: null, files: change() }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#sweep;
    await this.blobs.settled();
    if (this.#isClean) this.buckets.setMeta('closed', Buffer.of(1));
    this.#db.close();
  }

  #change<T>(change: () => Change<T>): T {
    this.#db.exec('BEGIN IMMEDIATE');
    let changed: Change<T>;
    try {
      changed = change();
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    for (const file of changed.files) this.blobs.remove(file);
    return changed.made;
  }

  #put(
    bucketId: number,
    key: string,
    object: NewObject,
    allow?: (existing: ObjectRow | null) => void,
  ): Change<string | null> {
    const change = this.#objects.put(bucketId, key, object, allow);
    this.#adopted(object.content);
    return change;
  }

  #dropUpload(uploadId: string): string[] {
    const files: string[] = [];
    for (const part of this.uploads.parts(uploadId, 0, largestPartNumber)) {
      files.push(...this.contents.drop(part.content));
    }
    this.uploads.delete(uploadId);
    return files;
  }

  #adopted(content: NewObject['content']): void {
    if (content.kind === 'file') this.blobs.adopted(content.file);
  }

  async #sweepLater(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.blobs.sweep(
        (file) => this.#isClosed || this.contents.isKnownFile(file),
        () => this.#isClosed,
      );
      this.#isClean = !this.#isClosed;
    } catch {
      // The file only wastes space. `isClean` stays false, so the next start removes it.
    }
  }
}
