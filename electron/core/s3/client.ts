import { ConditionMemory } from './model/condition-memory.ts';
import { createExecutor } from './http/executor.ts';
import type { ClockOffset, ExecutorDeps } from './http/operation.ts';
import { createLister } from './listing/list-objects.ts';
import { bucketDocumentOperations } from './requests/bucket-documents.ts';
import { bucketOperations } from './requests/buckets.ts';
import { aclOperations } from './requests/acl.ts';
import { multipartOperations } from './requests/multipart.ts';
import { lockOperations } from './requests/object-lock.ts';
import { objectOperations } from './requests/objects.ts';
import { presignOperations } from './requests/presign.ts';
import { restoreOperations } from './requests/restore.ts';
import { taggingOperations } from './requests/tagging.ts';
import { versionOperations } from './requests/versions.ts';
import { createTransport } from './http/transport.ts';
import type { EndpointConfig } from './model/types.ts';
import type { S3Client } from './model/s3-client.ts';

export type S3ClientDeps = Omit<ExecutorDeps, 'clockOffset'> & {
  /** Shared between clients of one service, so that a wrong clock is found out once. */
  readonly clockOffset?: ClockOffset;
};

/** The client of one service. Throws AppFailure invalid-argument when the configuration cannot be used. */
export function createS3Client(config: EndpointConfig, deps: S3ClientDeps): S3Client {
  const clockOffset = deps.clockOffset ?? { offsetMs: 0 };
  const executor = createExecutor(
    config,
    { ...deps, clockOffset },
    createTransport(config, deps.timeouts?.connectMs),
  );
  return {
    conditions: new ConditionMemory(),
    ...bucketOperations(executor),
    ...bucketDocumentOperations(executor),
    ...objectOperations(executor),
    ...multipartOperations(executor),
    ...presignOperations(executor),
    ...versionOperations(executor),
    ...taggingOperations(executor),
    ...aclOperations(executor),
    ...lockOperations(executor),
    ...restoreOperations(executor),
    ...createLister(executor),
    close: async () => await executor.close(),
  };
}
