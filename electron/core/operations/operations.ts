import { hash } from 'node:crypto';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { folderOf, lastSegment } from '../../../shared/keys/paths.ts';
import type {
  ChangePatch,
  CopyOptions,
  Renamed,
  SelectionItem,
  VersionMode,
} from '../../../shared/models/operations.ts';
import type { ConflictPolicy } from '../../../shared/models/transfers.ts';
import type { VersionRef } from '../../../shared/models/versions.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { Clock, Random } from '../ports.ts';
import { absent } from '../s3/conditions/conditional.ts';
import { putProved } from '../s3/conditions/put-proved.ts';
import { lookAtKey } from '../s3/conditions/look-at-key.ts';
import type { ObjectRef } from '../s3/model/object-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { seenOf } from './objects/look-at-object.ts';
import { operationTransfer, type NewTransfer } from '../transfers/items/transfer-job.ts';
import type { ChosenKeysPlace } from '../walks/chosen-keys.ts';
import type { OperationRecord, ObservedObject } from '../transfers/items/operation-record.ts';

export interface OperationsDeps {
  readonly jobs: JobEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /**
   * Records a new folder and its placeholder, so that it can be undone. `redoes` is the id of the undo that this creation
   * reverts.
   */
  readonly madeFolder?: (
    place: { readonly connectionId: string; readonly bucket: string; readonly key: string },
    seen: ObservedObject,
    redoes: string | null,
  ) => void;
}

export interface CopyRequest {
  readonly from: ChosenKeysPlace & { readonly basePrefix: string };
  readonly items: readonly SelectionItem[];
  readonly to: ChosenKeysPlace & { readonly prefix: string };
  readonly options: CopyOptions;
}

const folderType = 'application/x-directory';
const maxKeyBytes = 1024;

/** Starts the operations that change objects. All of them are jobs in the queue, except creating a folder. */
export class Operations {
  readonly #deps: OperationsDeps;

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a folder: an empty object whose key ends with the delimiter. Keeps an existing object. Throws
   * `AppError('invalid-argument')` for a key above 1024 bytes, and the service's error if the key cannot be checked.
   */
  async createFolder(
    place: ChosenKeysPlace & { readonly prefix: string; readonly name: string },
    signal: AbortSignal | undefined,
    redoes: string | null = null,
  ): Promise<{ key: string; created: boolean }> {
    const { bucket, prefix, name } = place;
    const key = `${prefix}${name}/`;
    refuseLongKey(key);
    const client = await this.#deps.clientOf(place.connectionId);
    const options = signal === undefined ? {} : { signal };
    if (await hasObject(client, { bucket, key }, options)) return { key, created: false };
    const folder = {
      bucket,
      key,
      contentType: folderType,
      body: { sizeBytes: 0, open: () => new Uint8Array(0) },
      checksums: client.checksums.of(new Uint8Array(0)),
    };
    try {
      await putProved({ client, input: folder, md5: hash('md5', ''), expected: absent, ...options });
    } catch (thrown) {
      // Another client created the folder first, or a request whose response was lost did. Either way the folder exists.
      if (toAppError(thrown).reason !== 'precondition-failed') throw thrown;
    }
    const made = await lookAtKey(client, { bucket, key }, options);
    // A folder that cannot be read is not recorded, because an undo could not recognize it later.
    if (made.kind === 'present' && made.head.sizeBytes === 0)
      this.#deps.madeFolder?.({ connectionId: place.connectionId, bucket, key }, seenOf(made.head), redoes);
    return { key, created: true };
  }

  /**
   * Starts a copy or move; returns null if nothing would change. Throws `AppError('invalid-argument')` for moving a single
   * version and for copying a folder into itself.
   */
  copy(request: CopyRequest): { jobId: string | null } {
    const { from, to, items, options } = request;
    const isSamePlace = from.connectionId === to.connectionId && from.bucket === to.bucket;
    const isSameFolder = isSamePlace && from.basePrefix === to.prefix;
    if (options.isMove) {
      if (isSameFolder) return { jobId: null };
      if (items.some((item) => item.kind === 'key' && item.versionId !== undefined))
        throw failure('invalid-argument', 'A single version cannot be moved, only copied.', {
          reason: 'version-move',
        });
    }
    if (isSamePlace) refuseIntoItself(items, from.basePrefix, to.prefix);
    // A copy within its own folder always needs another name.
    const onConflict = isSameFolder ? 'rename' : options.onConflict;
    return this.#copy(options.isMove ? 'move' : 'copy', from, items, to, onConflict);
  }

  /** Restores a version by copying it over the current object, which stays as an older version. */
  restoreVersion({ connectionId, bucket, key, versionId }: VersionRef): { jobId: string } {
    const folder = folderOf(key);
    const from = { connectionId, bucket, basePrefix: folder };
    const to = { connectionId, bucket, prefix: folder };
    return this.#copy('copy', from, [{ kind: 'key', key, versionId }], to, 'overwrite');
  }

  /**
   * Starts to rename an object or folder by a move; returns null if the name is the same. Throws `AppError('invalid-argument')`
   * for a folder whose prefix has no delimiter at its end.
   */
  rename(
    place: ChosenKeysPlace & {
      readonly item: Renamed;
      readonly newName: string;
      readonly onConflict: ConflictPolicy;
    },
  ): { jobId: string | null } {
    const { item, newName, onConflict } = place;
    const old = item.kind === 'key' ? item.key : item.prefix;
    const isFolder = item.kind === 'prefix' || (old.endsWith('/') && old.length > 1);
    if (item.kind === 'prefix' && !old.endsWith('/'))
      throw failure('invalid-argument', 'The prefix of a folder must end with the delimiter.', {
        reason: 'not-a-folder',
      });
    const above = folderOf(isFolder ? old.slice(0, -1) : old);
    const renamed = `${above}${newName}${isFolder ? '/' : ''}`;
    refuseLongKey(renamed);
    if (renamed === old) return { jobId: null };
    if (item.kind === 'prefix') refuseIntoItself([item], old, renamed);
    const { connectionId, bucket } = place;
    const to = { connectionId, bucket, prefix: renamed };
    return this.#copy('move', { connectionId, bucket, basePrefix: old }, [item], to, onConflict);
  }

  /**
   * Renames several objects of one folder in one job. Throws `AppError('invalid-argument')` if a name is empty or contains a
   * slash, if two objects get the same name, or if a name is still used by another object in the list.
   */
  renameMany(
    place: ChosenKeysPlace & { readonly folder: string },
    names: readonly { readonly key: string; readonly newName: string }[],
  ): { jobId: string } {
    const { folder } = place;
    const newKeys = new Map<string, string>();
    for (const { key, newName } of names) {
      if (folderOf(key) !== folder || newName === '' || newName.includes('/'))
        throw refusedName('This cannot be the name of an object in this folder.');
      refuseLongKey(folder + newName);
      if (folder + newName !== key) newKeys.set(key, folder + newName);
    }
    const targets = [...newKeys.values()];
    if (new Set(targets).size < targets.length || targets.some((key) => newKeys.has(key)))
      throw refusedName('Two objects would have the same name.');
    if (targets.length === 0) throw refusedName('No name changes.');
    const items = [...newKeys.keys()].map((key): SelectionItem => ({ kind: 'key', key }));
    const { connectionId, bucket } = place;
    const fields = { to: { connectionId, bucket, prefix: folder }, newKeys: Object.fromEntries(newKeys) };
    return { jobId: this.#submit('move', place, folder, items, fields, 'ask') };
  }

  /**
   * Starts a deletion. With `withBucket`, the bucket is deleted at the end. Throws `AppError('invalid-argument')` if that bucket
   * would not be empty, because not all its content was chosen.
   */
  delete(
    place: ChosenKeysPlace,
    items: readonly SelectionItem[],
    versions: VersionMode,
    withBucket = false,
  ): { jobId: string } {
    const isAll = items.every((item) => item.kind === 'prefix' && item.prefix === '');
    if (withBucket && !isAll)
      throw failure('invalid-argument', 'A bucket can only be deleted with all its objects.', {
        reason: 'bucket-not-empty',
      });
    const fields = { versions, ...(withBucket ? { withBucket } : {}) };
    return { jobId: this.#submit('delete', place, '', items, fields, 'overwrite') };
  }

  /** Restores deleted objects in a versioned bucket by removing the delete markers that hide them. */
  restore(place: ChosenKeysPlace, items: readonly SelectionItem[]): { jobId: string } {
    return { jobId: this.#submit('delete', place, '', items, { restores: true }, 'overwrite') };
  }

  change(place: ChosenKeysPlace, items: readonly SelectionItem[], patch: ChangePatch): { jobId: string } {
    return { jobId: this.#submit('change', place, '', items, { patch }, 'overwrite') };
  }

  #copy(
    kind: 'copy' | 'move',
    from: ChosenKeysPlace & { readonly basePrefix: string },
    items: readonly SelectionItem[],
    to: ChosenKeysPlace & { readonly prefix: string },
    onConflict: ConflictPolicy,
  ): { jobId: string } {
    const { connectionId, bucket, prefix } = to;
    const target = { connectionId, bucket, prefix };
    return { jobId: this.#submit(kind, from, from.basePrefix, items, { to: target }, onConflict) };
  }

  #submit(
    kind: 'copy' | 'move' | 'delete' | 'change',
    place: ChosenKeysPlace,
    prefix: string,
    items: readonly SelectionItem[],
    fields: Partial<OperationRecord>,
    onConflict: ConflictPolicy,
  ): string {
    const [first] = items;
    const chosen = first?.kind === 'key' ? first.key : first?.kind === 'prefix' ? first.prefix : prefix;
    const seed: NewTransfer = {
      id: this.#deps.random.id(),
      nowMs: this.#deps.clock.nowMs(),
      connectionId: place.connectionId,
      bucket: place.bucket,
      prefix,
      name: lastSegment(chosen) === '' ? place.bucket : lastSegment(chosen),
    };
    const operation = { items: [...items], to: null, versions: 'markers' as const, patch: null, ...fields };
    this.#deps.jobs.submit(operationTransfer(kind, seed, operation, onConflict));
    return seed.id;
  }
}

async function hasObject(
  client: S3Client,
  ref: ObjectRef,
  options: { readonly signal?: AbortSignal },
): Promise<boolean> {
  const look = await lookAtKey(client, ref, options);
  // If the access key may write but not read, the condition of the PUT request decides.
  if (look.kind === 'unreadable' && look.error.code !== 'access-denied') throw new AppFailure(look.error);
  return look.kind === 'present';
}

/** Throws if a folder would be copied or moved into itself, because its keys would grow without end. */
function refuseIntoItself(items: readonly SelectionItem[], basePrefix: string, toPrefix: string): void {
  const isInside = items.some((item) => {
    if (item.kind !== 'prefix') return false;
    if (!item.prefix.startsWith(basePrefix)) return false;
    return (toPrefix + item.prefix.slice(basePrefix.length)).startsWith(item.prefix);
  });
  if (isInside)
    throw failure('invalid-argument', 'A folder cannot be copied or moved into itself.', {
      reason: 'into-itself',
      retry: 'after-fix',
    });
}

function refusedName(why: string): AppFailure {
  return failure('invalid-argument', why, { retry: 'after-fix' });
}

function refuseLongKey(key: string): void {
  if (Buffer.byteLength(key) > maxKeyBytes)
    throw failure('invalid-argument', 'The key would be longer than 1024 bytes.', {
      reason: 'key-too-long',
      retry: 'after-fix',
    });
}
