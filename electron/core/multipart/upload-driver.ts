import type { Job } from '../../../shared/models/jobs.ts';
import { createLimiter, type BandwidthLimiter } from '../flow/limits.ts';
import type { Driver, EngineEvent, Live } from '../jobs/job.ts';
import { abortUpload } from './abort.ts';
import { doubtParts } from './listed-parts.ts';
import { PartStore } from './parts/part-store.ts';
import { UploadMemory, type UploadContext, type UploadDriverDeps, type UploadWork } from './upload-work.ts';
import { uploadModel, uploadJobSchema, type UploadJob } from './upload-job.ts';
import {
  compareParts,
  explainGone,
  explainRejection,
  findParts,
  lookForOutcome,
  planCompletion,
  sendComplete,
  sendMissing,
} from './upload-steps.ts';
import { uploadTransition, type UploadEffect, type UploadEvent } from './upload-transition.ts';

/** Runs the jobs that complete, resume or abort uploads. Decisions are in upload-transition.ts, effects in upload-steps.ts. */
export class UploadDriver implements Driver<UploadJob, UploadEvent, UploadEffect> {
  readonly kinds = ['complete', 'resume', 'abort'] as const;
  readonly transition = uploadTransition;
  readonly parts: PartStore;
  readonly memory = new UploadMemory();
  readonly #deps: UploadDriverDeps;
  readonly #bandwidth: BandwidthLimiter;

  constructor(deps: UploadDriverDeps) {
    this.#deps = deps;
    this.parts = new PartStore(deps.store);
    this.#bandwidth = createLimiter(deps.clock, () => deps.settings().bandwidthBytesPerSecond);
  }

  parse(data: unknown): UploadJob {
    return uploadJobSchema.parse(data);
  }

  persist(job: UploadJob, event: UploadEvent | EngineEvent): void {
    if (event.kind === 'prepared' && job.state === 'completing') this.parts.putIntent(job.id, event.parts);
  }

  /**
   * Carries out one effect of the state machine and returns the resulting event. Throws `AppError('storage')` if the job has no
   * file, `AppError('internal')` if no completion was planned, and the service's errors.
   */
  async perform(effect: UploadEffect, job: UploadJob, context: UploadContext): Promise<UploadEvent> {
    const client = await this.#deps.clientOf(job.connectionId);
    const work: UploadWork = {
      client,
      job,
      context,
      deps: this.#deps,
      parts: this.parts,
      memory: this.memory,
      bandwidth: this.#bandwidth,
    };
    switch (effect.kind) {
      case 'list-parts':
        return await findParts(work);
      case 'verify-parts':
        return await compareParts(work);
      case 'send-parts':
        return await sendMissing(work);
      case 'prepare-completion':
        return await planCompletion(work);
      case 'complete':
        return await sendComplete(work, effect.attempt);
      case 'observe':
        return await lookForOutcome(work);
      case 'explain-rejection':
        return await explainRejection(work);
      case 'doubt-parts':
        return await doubtParts(work);
      case 'explain-gone':
        return await explainGone(work);
      case 'abort-upload':
        return { kind: 'upload-aborted', outcome: await abortUpload(client, job, context, this.#deps) };
      default:
        return effect satisfies never;
    }
  }

  toModel(job: UploadJob, live: Live | null): Job {
    return uploadModel(job, live, this.memory.isSilent(job.id));
  }
}
