import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { undoableKinds } from '../../../shared/models/job-kinds.ts';
import { type UndoEntry, type Undone, type UndoState } from '../../../shared/models/operations.ts';
import type { JobEngine } from '../jobs/engine.ts';
import { isFinal } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Clock, Random } from '../ports.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import {
  observedObjectSchema,
  type OperationRecord,
  type ObservedObject,
} from '../transfers/items/operation-record.ts';
import {
  isRename,
  operationTransfer,
  transferJobSchema,
  type TransferJob,
} from '../transfers/items/transfer-job.ts';
import type { Item } from '../transfers/items/transfer-item.ts';
import {
  undoStateOf,
  type PastOperation,
  replacedBy,
  undoneBy,
  undoOf,
  type UndoableKind,
  type UndoableWork,
} from './objects/undo-plan.ts';

export interface UndosDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly items: ItemStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Creates a folder again and records it. `redoes` is the id of the undo that this creation reverts. */
  readonly makeFolder: (folder: NewFolder, redoes: string) => Promise<{ readonly created: boolean }>;
  /** Stores the created folders, because creating a folder has no job. */
  readonly values: {
    readonly get: (name: string) => unknown;
    readonly set: (name: string, value: unknown) => void;
  };
}

/** The maximum number of operations that can be undone. */
const maxUndone = 50;
const valueName = 'undo-folders';

interface NewFolder {
  readonly connectionId: string;
  readonly bucket: string;
  readonly key: string;
}

const madeFolderSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  key: z.string(),
  seen: observedObjectSchema,
  atMs: z.number(),
  /** The id of the undo that this creation reverts; null if none. Absent in records of earlier versions. */
  undoes: z.string().nullable().default(null),
});
type MadeFolder = Readonly<z.infer<typeof madeFolderSchema>>;

type DoneOperation = PastOperation & { readonly name: string; readonly others: number } & (
    | { readonly kind: 'job'; readonly job: TransferJob & { readonly kind: UndoableKind } }
    | { readonly kind: 'folder'; readonly folder: MadeFolder }
  );

/**
 * Finds the last operation and undoes or redoes it. The items of its job show what it changed. When the job is cleared from the
 * queue, they are deleted and it can no longer be undone.
 */
export class Undos {
  readonly #deps: UndosDeps;

  constructor(deps: UndosDeps) {
    this.#deps = deps;
  }

  /** Records a new folder and its placeholder `seen`. `undoes` is the id of the undo that this creation reverts. */
  madeFolder({ connectionId, bucket, key }: NewFolder, seen: ObservedObject, undoes: string | null): void {
    const { random, clock, values } = this.#deps;
    const identity = { id: random.id(), atMs: clock.nowMs(), undoes };
    const made: MadeFolder = { ...identity, connectionId, bucket, key, seen };
    values.set(valueName, [made, ...this.#folders()].slice(0, maxUndone));
  }

  state(): UndoState {
    const { undo, redo, isBusy } = undoStateOf(this.#past());
    return {
      isBusy,
      undo: undo === null ? null : this.#entryOf(undo),
      redo: redo === null ? null : this.#entryOf(redo),
    };
  }

  /**
   * Undoes or redoes the operation with this id by starting a job; a folder is recreated without a job. Throws
   * `AppError('not-found')` if another operation followed, and `AppError('invalid-argument')` if its changes were not recorded.
   */
  async undo(id: string): Promise<Undone> {
    const { undo, redo } = undoStateOf(this.#past());
    const done = [undo, redo].find((step) => step?.id === id) ?? null;
    if (done === null)
      throw failure('not-found', 'This can no longer be undone: another operation was done since.', {
        retry: 'after-fix',
      });
    if (!this.#isPossible(done))
      throw failure('invalid-argument', 'This cannot be undone: the previous content was not kept.', {
        retry: 'after-fix',
      });
    const { jobs, clock, random } = this.#deps;
    const recreatedFolder = done.kind === 'job' ? undoneFolder(done.job) : null;
    if (recreatedFolder !== null) {
      const { created } = await this.#deps.makeFolder(recreatedFolder, done.id);
      return { jobId: null, folder: { ...recreatedFolder, created } };
    }
    const seed = { id: random.id(), nowMs: clock.nowMs(), prefix: '', name: done.name };
    const fields = { to: null, versions: 'markers', patch: null } as const;
    if (done.kind === 'folder') {
      const { connectionId, bucket, key, seen, id: folderId } = done.folder;
      const operation: OperationRecord = {
        ...fields,
        items: [{ kind: 'key', key }],
        folder: { id: folderId, key, seen },
      };
      jobs.submit(operationTransfer('delete', { ...seed, connectionId, bucket }, operation, 'skip'));
      return { jobId: seed.id, folder: null };
    }
    const { job } = done;
    const { connectionId, bucket, operation: before } = job;
    const from = { connectionId, bucket };
    // A deletion with `from` undid a copy. Redoing the copy means copying the originals again.
    const originals = job.kind === 'delete' ? before?.from : undefined;
    const isMovedBack = job.kind === 'move' || originals !== undefined;
    const at = originals ?? before?.to ?? from;
    const operation: OperationRecord = {
      ...fields,
      items: before?.items ?? [{ kind: 'prefix', prefix: '' }],
      to: isMovedBack ? { ...from, prefix: '' } : null,
      ...(job.kind === 'copy' ? { from } : {}),
      undoes: {
        jobId: job.id,
        kind: job.kind,
        what: firstWork(job),
        isRedo: done.undoes !== null && !done.isRedo,
        isRename: isRename(job),
      },
    };
    const place = { connectionId: at.connectionId, bucket: at.bucket };
    const kind = originals === undefined ? undoneBy[job.kind] : 'copy';
    jobs.submit(operationTransfer(kind, { ...seed, ...place }, operation, 'skip'));
    return { jobId: seed.id, folder: null };
  }

  #entryOf(done: DoneOperation): UndoEntry {
    const { id, name, others, atMs } = done;
    const isFolder = done.kind === 'folder' || undoneFolder(done.job) !== null;
    const kind = isFolder ? 'new-folder' : isRename(done.job) ? 'rename' : firstWork(done.job);
    return {
      id,
      kind,
      name,
      others,
      at: new Date(atMs).toISOString(),
      isPossible: this.#isPossible(done),
      replaced: isFolder ? 'none' : replacedBy(done.job.kind, this.#firstItems(done.job.id)),
    };
  }

  /** Returns true if one of the operation's first items can be undone. */
  #isPossible(done: DoneOperation): boolean {
    if (done.kind === 'folder') return true;
    const { id, kind } = done.job;
    const items = this.#firstItems(id);
    if (undoneFolder(done.job) !== null) return items.length > 0;
    return items.some((item) => undoOf(kind, item).kind === 'step');
  }

  #firstItems(jobId: string): readonly Item[] {
    return this.#deps.items.inState(jobId, 'done', -1, 500);
  }

  #past(): readonly DoneOperation[] {
    const { store } = this.#deps;
    const jobs = store
      .all(
        `SELECT data FROM jobs WHERE kind IN ('copy', 'move', 'delete', 'change') AND state <> 'cancelled'
         ORDER BY seq DESC LIMIT ?`,
        maxUndone,
      )
      .flatMap(({ data }): readonly DoneOperation[] => {
        const parsed = transferJobSchema.safeParse(JSON.parse(String(data)));
        return parsed.success && isUndoable(parsed.data) && !isPassedOver(parsed.data)
          ? [doneJob(parsed.data)]
          : [];
      });
    return [...jobs, ...this.#folders().map(doneFolder)];
  }

  #folders(): readonly MadeFolder[] {
    const read = z.array(madeFolderSchema).safeParse(this.#deps.values.get(valueName));
    return read.success ? read.data : [];
  }
}

function isUndoable(job: TransferJob): job is TransferJob & { readonly kind: UndoableKind } {
  return job.operation !== null && !job.isSync && (undoableKinds as readonly string[]).includes(job.kind);
}

/**
 * Returns true if the job changed nothing, so the operation before it can still be undone. An undo, or a deletion with its
 * bucket, always counts as a change.
 */
function isPassedOver({ state, counts, operation }: TransferJob): boolean {
  const isOriginal = operation?.undoes === undefined && operation?.folder === undefined;
  return state === 'done' && counts.done === counts.same && isOriginal && operation?.withBucket !== true;
}

function doneJob(job: TransferJob & { readonly kind: UndoableKind }): DoneOperation {
  const { undoes, folder, items } = job.operation ?? { undoes: undefined, folder: undefined, items: [] };
  return {
    kind: 'job',
    job,
    id: job.id,
    begunMs: job.createdMs,
    atMs: isFinal(job.state) ? job.stateSinceMs : job.createdMs,
    undoes: undoes?.jobId ?? folder?.id ?? null,
    isRedo: undoes?.isRedo ?? false,
    isFinished: job.state === 'done',
    name: job.name,
    others: Math.max(0, items.length - 1),
  };
}

function doneFolder(folder: MadeFolder): DoneOperation {
  const { id, atMs, key, undoes } = folder;
  const facts = { undoes, isRedo: undoes !== null, isFinished: true, others: 0 } as const;
  return { kind: 'folder', folder, id, begunMs: atMs, atMs, name: lastSegment(key), ...facts };
}

/** Returns the folder whose creation the job undid; null for other jobs. */
function undoneFolder({ connectionId, bucket, operation }: TransferJob): NewFolder | null {
  return operation?.folder === undefined ? null : { connectionId, bucket, key: operation.folder.key };
}

/** Returns the kind of the user's original operation, even if `job` is an undo or redo of it. */
function firstWork({ kind, operation }: TransferJob & { readonly kind: UndoableKind }): UndoableWork {
  const { undoes, restores } = operation ?? {};
  if (restores === true) return 'restore';
  return undoes === undefined ? kind : (undoes.what ?? undoes.kind);
}
