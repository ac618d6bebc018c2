import { failure } from '../../../shared/errors.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { PlanEvent, PlanRefusal, UploadPlan } from '../../../shared/models/resume-plan.ts';
import type { Clock, Random } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { LocalSource } from '../disk/fence.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { Recent, reporting } from '../flow/loops.ts';
import { checkUnchanged, lookAtFile, plannedSource, type JobFile } from '../disk/local-file.ts';
import { headTarget, standingOf } from '../multipart/outcome/look.ts';
import { listAllParts, initiationIn, listedState } from '../multipart/list-uploads.ts';
import { stripOf } from '../multipart/parts/judge.ts';
import { planUpload, type ResumePlanResult } from './plan-resume.ts';
import { rangesOf, summarizeParts, isBeingWritten } from '../multipart/parts/part-list.ts';
import type { StoredPlan } from '../multipart/new-jobs.ts';

export interface PlansDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly hasher: Hasher;
  readonly equalPartSizes: (connectionId: string) => boolean;
  /** Returns false if the service is known to refuse a Complete request that leaves out stored parts, as Ceph does. */
  readonly mayLeaveOut: (connectionId: string) => boolean;
  readonly minPartBytes: number;
  readonly recentBytesPerSecond: () => number | null;
}

export interface ResumePlanInput {
  readonly ref: UploadRef;
  readonly file: LocalSource;
  readonly etagsAreNotMd5: boolean;
}

type Progress = Extract<PlanEvent, { kind: 'progress' }>;

/** Creates plans to resume uploads, and keeps the most recent ones. */
export class Plans {
  readonly #deps: PlansDeps;
  readonly #plans = new Recent<StoredPlan>(50);

  constructor(deps: PlansDeps) {
    this.#deps = deps;
  }

  async *plan(input: ResumePlanInput, signal: AbortSignal): AsyncGenerator<PlanEvent> {
    yield { kind: 'progress', step: 'listing', bytesHashed: 0, bytesToHash: 0 };
    const steps = reporting<Progress, UploadPlan>(
      (both) => this.#deps.clock.sleep(250, both),
      signal,
      (report, both) => this.#make(input, both, report),
    );
    for await (const step of steps)
      yield step.kind === 'progress' ? step.progress : { kind: 'plan', plan: step.result };
  }

  /** Returns a plan by its id. Throws `AppError('not-found')` if it was discarded. */
  take(planId: string): StoredPlan {
    const plan = this.#plans.get(planId);
    if (plan !== undefined) return plan;
    throw failure('not-found', 'This plan no longer exists. Make it again.', {
      reason: 'plan-gone',
      retry: 'after-fix',
    });
  }

  async #make(
    input: ResumePlanInput,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<UploadPlan> {
    const { ref, etagsAreNotMd5 } = input;
    const client = await this.#deps.clientOf(ref.connectionId);
    const file = await lookAtFile(input.file);
    const listed = await listAllParts(client, ref, signal);
    const headResult = await headTarget(client, ref, signal);
    const state = await listedState(client, ref, signal);
    // Some services return an empty list of parts for unknown uploads.
    if (listed.parts.length === 0 && state.kind === 'not-listed')
      throw failure('upload-gone', 'The service does not list this upload, nor any part of it.', {
        reason: 'no-such-upload',
      });
    const initiatedAt = initiationIn(state);
    const planned = await planUpload({
      listed,
      file: plannedSource(file),
      fileSizeBytes: file.sizeBytes,
      rules: {
        equalPartSizes: this.#deps.equalPartSizes(ref.connectionId),
        minPartBytes: this.#deps.minPartBytes,
        limits: client.partLimits,
      },
      judge: { etagsAreNotMd5, minPartBytes: this.#deps.minPartBytes },
      hasher: this.#deps.hasher,
      signal,
      onProgress: (bytesHashed, bytesToHash) =>
        report({ kind: 'progress', step: 'hashing', bytesHashed, bytesToHash }),
    });
    const { lastPartAt } = summarizeParts(listed.parts, this.#deps.minPartBytes);
    const changed = await isChanged(file);
    const refusal = changed ? 'file-changed' : refusalOf(planned);
    const planId = this.#deps.random.id();
    const slots = planned.kind === 'judged' ? planned.judgement.slots : [];
    const standing = standingOf(headResult);
    const isBeginning = planned.kind === 'judged' && planned.judgement.beyond.length > 0 && !changed;
    this.#plans.set(planId, {
      ref,
      file,
      refusal,
      isBeginning,
      slots,
      etagsAreNotMd5,
      initiatedAt,
      standing,
    });
    return {
      planId,
      ref,
      fileName: file.name,
      fileSizeBytes: file.sizeBytes,
      refusal,
      ...figuresOf(planned),
      mayLeaveOut: this.#deps.mayLeaveOut(ref.connectionId),
      stillBeingWritten: isBeingWritten(lastPartAt, this.#deps.clock.nowMs()),
      standing,
      checksumAlgorithm: listed.checksumAlgorithm,
      recentBytesPerSecond: this.#deps.recentBytesPerSecond(),
    };
  }
}

async function isChanged(file: JobFile): Promise<boolean> {
  try {
    await checkUnchanged(file);
    return false;
  } catch {
    return true;
  }
}

function refusalOf(planned: ResumePlanResult): PlanRefusal | null {
  return planned.kind === 'refused' ? planned.refusal : planned.judgement.refusal;
}

/** Returns the figures of a plan about its parts; zeros for a refused plan. */
function figuresOf(planned: ResumePlanResult) {
  if (planned.kind === 'refused')
    return {
      partSizeBytes: planned.partSizeBytes,
      layoutSource: 'shared-size',
      partsTotal: 0,
      partsVerified: 0,
      partsDiffer: 0,
      partsUnverifiable: 0,
      partsMissing: 0,
      partsTooSmall: 0,
      partsSurplus: 0,
      partsBeyond: [],
      partReplaced: null,
      bytesToSend: 0,
      bytesToSendWithUnverifiable: 0,
      runs: [],
      expectedEtag: null,
    } satisfies Partial<UploadPlan>;
  const { layout, judgement } = planned;
  const { counts } = judgement;
  return {
    partSizeBytes: layout.partSizeBytes,
    layoutSource: layout.source,
    partsTotal: layout.slots.length,
    partsVerified: counts.verified,
    partsDiffer: counts.differs,
    partsUnverifiable: counts.unverifiable,
    partsMissing: counts.missing,
    partsTooSmall: counts['too-small'],
    partsSurplus: layout.surplus.length,
    partsBeyond: [...rangesOf(judgement.beyond)],
    partReplaced: layout.straddling?.partNumber ?? null,
    bytesToSend: judgement.bytesToSend,
    bytesToSendWithUnverifiable: judgement.bytesToSend + judgement.bytesUnverifiable,
    runs: [...stripOf(judgement.slots)],
    expectedEtag: judgement.expectedEtag,
  } satisfies Partial<UploadPlan>;
}
