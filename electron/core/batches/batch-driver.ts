import { rm } from 'node:fs/promises';
import { failure, toAppError, type AppFailure } from '../../../shared/errors.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { checkUnchanged, plannedSource } from '../disk/local-file.ts';
import { sliceBody } from '../disk/slice-body.ts';
import type { BandwidthLimiter } from '../flow/limits.ts';
import { failedAttempt, logged } from '../jobs/log-request.ts';
import { absent, type Expected } from '../s3/conditions/conditional.ts';
import { putProved } from '../s3/conditions/put-proved.ts';
import { headOrNull } from '../s3/conditions/look-at-key.ts';
import { sameEtag } from '../s3/model/etag.ts';
import type { ObjectHead } from '../s3/model/object-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { describedBytes, proofOfWrite } from '../s3/model/object-proof.ts';
import {
  batchJobSchema,
  descriptionOf,
  type BatchJob,
  batchTransition,
  type BatchEffect,
  type BatchEvent,
} from './batch-job.ts';
import { baseModel, type Driver, type EffectContext, type Live, type NewAttempt } from '../jobs/job.ts';

export interface BatchDriverDeps {
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly bandwidth: BandwidthLimiter;
}

interface Work {
  readonly client: S3Client;
  readonly job: BatchJob;
  readonly context: EffectContext<BatchEvent>;
}

/** The name of the metadata by which the manifest is recognized if the response to its PUT was lost. */
const tokenMetadata = 'cooper-batch';

/** Runs jobs of S3 Batch Operations, which the service executes. Decisions are in batch-job.ts. */
export class BatchDriver implements Driver<BatchJob, BatchEvent, BatchEffect> {
  readonly kinds = ['batch'] as const;
  readonly transition = batchTransition;
  readonly #deps: BatchDriverDeps;

  constructor(deps: BatchDriverDeps) {
    this.#deps = deps;
  }

  parse(data: unknown): BatchJob {
    return batchJobSchema.parse(data);
  }

  toModel(job: BatchJob, live: Live | null): Job {
    return batchModel(job, live);
  }

  /**
   * Carries out one effect of a job and returns the resulting event. Throws `AppError('conflict')` if the stored manifest is
   * gone.
   */
  async perform(effect: BatchEffect, job: BatchJob, context: EffectContext<BatchEvent>): Promise<BatchEvent> {
    const work: Work = { client: await this.#deps.clientOf(job.connectionId), job, context };
    switch (effect.kind) {
      case 'store-manifest':
        return await this.#storeManifest(work);
      case 'create':
        // The service has stored the manifest by now, so the local file is no longer needed.
        await this.removeLeftovers(job, context.log);
        return await createJob(work);
      case 'look':
        return await requestStatus(work);
      case 'tell':
        return await sendRequest(work, effect.request);
      default:
        return effect satisfies never;
    }
  }

  async removeLeftovers(job: BatchJob, log: (attempt: NewAttempt) => void): Promise<void> {
    try {
      await rm(job.manifest.file.path ?? '', { force: true });
    } catch (thrown) {
      log(failedAttempt('remove-file', null, toAppError(thrown)));
    }
  }

  /**
   * Uploads the manifest if the key is free. An existing object may be this manifest, stored by a PUT whose response was lost.
   * Such an object is replaced only if it is damaged.
   */
  async #storeManifest(work: Work): Promise<BatchEvent> {
    const stored = await this.#putManifest(work, absent);
    if (stored !== null) return stored;
    const head = await headOfManifest(work);
    if (head === null) throw manifestMissing();
    const { etag } = head;
    if (head.metadata[tokenMetadata] !== work.job.token || etag === null) return manifestInTheWay();
    const { file, md5, checksums } = work.job.manifest;
    const sent = { sizeBytes: file.sizeBytes, md5: hexOf(md5), checksums };
    if (proofOfWrite(sent, describedBytes(head)).kind !== 'damaged')
      return manifestStored(etag, head.versionId);
    const again = await this.#putManifest(work, {
      kind: 'object',
      etag,
      is: (now) => sameEtag(now.etag, etag),
    });
    return again ?? manifestInTheWay();
  }

  /** Uploads the manifest. Returns null if the key is not as expected, or if the response lacks the ETag that CreateJob needs. */
  async #putManifest({ client, job, context }: Work, expected: Expected): Promise<BatchEvent | null> {
    const { bucket, key, file, md5, checksums } = job.manifest;
    const { signal } = context;
    await checkUnchanged(file);
    const body = sliceBody({
      file: plannedSource(file),
      offset: 0,
      sizeBytes: file.sizeBytes,
      bytes: null,
      limiters: [this.#deps.bandwidth],
      signal,
      onBytes: (bytes) => context.progress(bytes, 0),
    });
    try {
      const { etag, versionId } = await putProved({
        client,
        input: {
          bucket,
          key,
          body,
          contentType: 'text/csv',
          metadata: { [tokenMetadata]: job.token },
          checksums,
        },
        md5: hexOf(md5),
        expected,
        signal,
        around: async (send) => await logged(context.log, 'put-object', send),
      });
      return etag === null ? null : manifestStored(etag, versionId);
    } catch (thrown) {
      if (toAppError(thrown).reason !== 'precondition-failed') throw thrown;
      return null;
    }
  }
}

function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

async function headOfManifest({ client, job, context }: Work): Promise<ObjectHead | null> {
  const { bucket, key } = job.manifest;
  const { signal } = context;
  return await logged(context.log, 'head-object', () =>
    headOrNull(client, { bucket, key, checksums: true }, { signal }),
  );
}

function manifestMissing(): AppFailure {
  return failure('conflict', 'The manifest is missing after it was stored.', {
    reason: 'busy',
    retry: 'backoff',
  });
}

function manifestInTheWay(): BatchEvent {
  const error = failure('conflict', 'Another object is at the key of the manifest.', {
    reason: 'precondition-failed',
    retry: 'after-fix',
  }).error;
  return { kind: 'manifest-in-the-way', error };
}

/** Returns the event with the ETag as CreateJob requires it. With suspended versioning, the version id is not a usable one. */
function manifestStored(etag: string, versionId: string | null): BatchEvent {
  return {
    kind: 'manifest-stored',
    etag: etag.replaceAll('"', ''),
    versionId: versionId === 'null' ? null : versionId,
  };
}

/**
 * Sends CreateJob with the same token as earlier attempts. If the service reports that the token was used (IdempotencyException),
 * finds the job in the account by its description, which contains the token.
 */
async function createJob({ client, job, context }: Work): Promise<BatchEvent> {
  const { accountId, region, operation, token, manifest, report, priority, roleArn, asksFirst } = job;
  const { signal } = context;
  const { stored } = manifest;
  if (stored === null) throw failure('internal', 'The manifest of this job is not stored yet.');
  const description = descriptionOf(job);
  try {
    const { serviceId } = await logged(
      context.log,
      'create-batch',
      () =>
        client.createBatch(
          {
            accountId,
            region,
            operation,
            token,
            description,
            manifest: { bucket: manifest.bucket, key: manifest.key, ...stored },
            report,
            priority,
            roleArn,
            asksFirst,
          },
          { signal },
        ),
      (made) => made.serviceId,
    );
    return { kind: 'created', serviceId };
  } catch (thrown) {
    if (toAppError(thrown).s3?.code !== 'IdempotencyException') throw thrown;
    const serviceId = await logged(context.log, 'find-batch', () =>
      client.findBatch({ accountId, region, description }, { signal }),
    );
    if (serviceId === null) throw thrown;
    return { kind: 'created', serviceId };
  }
}

async function requestStatus({ client, job, context }: Work): Promise<BatchEvent> {
  const { accountId, region } = job;
  const seen = await logged(
    context.log,
    'describe-batch',
    () => client.describeBatch({ accountId, region, serviceId: idOf(job) }, { signal: context.signal }),
    ({ status, succeeded, failed, total }) => `${status}, ${succeeded + failed}/${total}`,
  );
  return { kind: 'seen', seen };
}

/** Requests that the service runs or cancels the job. If the job is past that state, a status request shows its result. */
async function sendRequest({ client, job, context }: Work, request: 'run' | 'cancel'): Promise<BatchEvent> {
  const { accountId, region } = job;
  const requestedStatus = request === 'run' ? 'Ready' : 'Cancelled';
  const wasAccepted = await logged(
    context.log,
    'tell-batch',
    () =>
      client.updateBatchStatus(
        { accountId, region, serviceId: idOf(job), requestedStatus },
        { signal: context.signal },
      ),
    (isAccepted) => (isAccepted ? requestedStatus : null),
  );
  return { kind: 'told', request, wasAccepted };
}

function idOf({ serviceId }: BatchJob): string {
  if (serviceId === null) throw failure('internal', 'The service has not created this job yet.');
  return serviceId;
}

/** Returns the job for the window: bytes while the manifest is sent, then objects as the service counts them. */
function batchModel(job: BatchJob, live: Live | null): Job {
  const { manifest, seen } = job;
  const isSending = job.state === 'transferring';
  const isFollowed = job.state === 'verifying-outcome' && job.dueMs !== null;
  return {
    ...baseModel(job),
    bucket: job.bucket,
    key: '',
    fileName: null,
    partsTotal: seen?.total ?? 0,
    partsDone: seen === null ? 0 : seen.succeeded + seen.failed,
    bytesTotal: isSending ? manifest.file.sizeBytes : 0,
    bytesDone: isSending ? (live?.bytesDone ?? 0) : 0,
    speedBytesPerSecond: isSending ? (live?.bytesPerSecond ?? null) : null,
    remainingMs: null,
    ...(isFollowed && job.error === null ? { waitsFor: 'batch' as const } : {}),
    batch: {
      operation: job.operation,
      accountId: job.accountId,
      serviceId: job.serviceId,
      region: job.region,
      objects: manifest.objects,
      manifest: { bucket: manifest.bucket, key: manifest.key },
      report: { bucket: job.report.bucket, prefix: job.report.prefix },
      seen,
      isInDoubt: job.inDoubt,
      cancelRequested: job.wanted === 'cancel' || job.told === 'cancel',
    },
  };
}
