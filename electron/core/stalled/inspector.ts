import { toAppError } from '../../../shared/errors.ts';
import type { CompletionCheck, PartRow, UploadDetail, UploadRef } from '../../../shared/models/stalled.ts';
import type { Clock } from '../ports.ts';
import type { ListedPart } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { checkWithoutFile, isBeingWritten, runsOf, summarizeParts } from '../multipart/parts/part-list.ts';
import { forEachLimited, Recent } from '../flow/loops.ts';
import { headTarget, standingOf } from '../multipart/outcome/look.ts';
import { listAllParts, type ListedUpload, initiationIn, listedState } from '../multipart/list-uploads.ts';
import { lockKeyOf } from '../multipart/upload-job.ts';
import { verdictOf } from './upload-rows.ts';
import type { HeadResult } from '../multipart/outcome/outcome.ts';

export interface InspectorDeps {
  readonly clock: Clock;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly minPartBytes: number;
  readonly jobOf: (ref: UploadRef) => string | null;
}

const checksAtOnce = 4;

/** Reads single uploads: their parts, the object they would make, and the object at their key. */
export class Inspector {
  readonly #deps: InspectorDeps;
  /** The parts last listed, so that the table of parts shows the same list as the details. */
  readonly #listings = new Recent<ListedUpload>(20);

  constructor(deps: InspectorDeps) {
    this.#deps = deps;
  }

  async open(ref: UploadRef, signal: AbortSignal): Promise<UploadDetail> {
    const client = await this.#deps.clientOf(ref.connectionId);
    const listed = await this.#list(client, ref, signal);
    const headResult = await headTarget(client, ref, signal);
    const parts = summarizeParts(listed.parts, this.#deps.minPartBytes);
    return {
      ref,
      initiatedAt: initiationIn(await listedState(client, ref, signal)),
      initiator: listed.initiator,
      storageClass: listed.storageClass,
      checksumAlgorithm: listed.checksumAlgorithm,
      checksumType: listed.checksumType,
      verdict: verdictOf({ parts, error: null }, this.#deps.clock.nowMs()),
      parts,
      runs: [...runsOf(listed.parts, this.#deps.minPartBytes)],
      check: this.#check(ref, listed, headResult),
      jobId: this.#deps.jobOf(ref),
    };
  }

  /** Returns one row for each part number up to the highest, including missing parts. */
  async parts(
    ref: UploadRef,
    offset: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ parts: PartRow[]; total: number }> {
    const known = this.#listings.get(cacheKey(ref));
    const listed = known ?? (await this.#list(await this.#deps.clientOf(ref.connectionId), ref, signal));
    const total = listed.parts.at(-1)?.partNumber ?? 0;
    const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
    const parts: PartRow[] = [];
    for (let number = offset + 1; number <= Math.min(total, offset + limit); number += 1)
      parts.push(this.#row(number, byNumber.get(number), number === total));
    return { parts, total };
  }

  async check(refs: readonly UploadRef[], signal: AbortSignal): Promise<CompletionCheck[]> {
    const checks = new Map<UploadRef, CompletionCheck>();
    await forEachLimited(refs, checksAtOnce, signal, async (ref) => {
      checks.set(ref, await this.#checkOne(ref, signal));
    });
    return refs.flatMap((ref) => checks.get(ref) ?? []);
  }

  async storedBytes(ref: UploadRef, signal: AbortSignal): Promise<number> {
    const client = await this.#deps.clientOf(ref.connectionId);
    const listed = this.#listings.get(cacheKey(ref)) ?? (await this.#list(client, ref, signal));
    return summarizeParts(listed.parts, this.#deps.minPartBytes).storedBytes;
  }

  async #list(client: S3Client, ref: UploadRef, signal: AbortSignal): Promise<ListedUpload> {
    const listed = await listAllParts(client, ref, signal);
    this.#listings.set(cacheKey(ref), listed);
    return listed;
  }

  async #checkOne(ref: UploadRef, signal: AbortSignal): Promise<CompletionCheck> {
    try {
      const client = await this.#deps.clientOf(ref.connectionId);
      const listed = await this.#list(client, ref, signal);
      return this.#check(ref, listed, await headTarget(client, ref, signal));
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const error = toAppError(thrown);
      return {
        ref,
        problem: error.code === 'upload-gone' ? 'upload-gone' : 'could-not-be-read',
        error,
        partCount: 0,
        sizeBytes: 0,
        expectedEtag: null,
        gaps: [],
        partNumbers: [],
        stillBeingWritten: false,
        lastPartIsFull: false,
        standing: { kind: 'unreadable', error },
        fingerprint: '',
      };
    }
  }

  #check(ref: UploadRef, listed: ListedUpload, headResult: HeadResult): CompletionCheck {
    const check = checkWithoutFile(listed.parts, listed.checksumAlgorithm !== null, this.#deps.minPartBytes);
    const summary = summarizeParts(listed.parts, this.#deps.minPartBytes);
    return {
      ref,
      problem: check.problem ?? (this.#deps.jobOf(ref) === null ? null : 'job-exists'),
      error: null,
      partCount: check.partCount,
      sizeBytes: check.sizeBytes,
      expectedEtag: check.expectedEtag,
      gaps: [...check.gaps],
      partNumbers: [...check.partNumbers],
      stillBeingWritten: isBeingWritten(summary.lastPartAt, this.#deps.clock.nowMs()),
      lastPartIsFull: summary.lastPartIsFull,
      standing: standingOf(headResult),
      fingerprint: check.fingerprint,
    };
  }

  #row(partNumber: number, part: ListedPart | undefined, isLast: boolean): PartRow {
    const [checksum] = Object.entries(part?.checksums ?? {});
    const isSmall = !isLast && part !== undefined && part.sizeBytes < this.#deps.minPartBytes;
    return {
      partNumber,
      state: part === undefined ? 'missing' : isSmall ? 'too-small' : 'present',
      sizeBytes: part?.sizeBytes ?? null,
      etag: part?.etag ?? null,
      lastModified: part?.lastModified ?? null,
      checksum: checksum === undefined ? null : `${checksum[0]}: ${checksum[1]}`,
    };
  }
}

function cacheKey(ref: UploadRef): string {
  return `${ref.connectionId} ${lockKeyOf(ref)}`;
}
