import { ConditionMemory } from './condition-memory.ts';
import { createExecutor, type ClockOffset, type ExecutorDeps } from './executor.ts';
import { createLister } from './listing.ts';
import { bucketDocumentOperations } from './operations/bucket-documents.ts';
import { bucketOperations } from './operations/buckets.ts';
import { aclOperations } from './operations/acl.ts';
import { multipartOperations } from './operations/multipart.ts';
import { lockOperations } from './operations/object-lock.ts';
import { objectOperations } from './operations/objects.ts';
import { presignOperations } from './operations/presign.ts';
import { restoreOperations } from './operations/restore.ts';
import { taggingOperations } from './operations/tagging.ts';
import { versionOperations } from './operations/versions.ts';
import { createTransport } from './transport.ts';
import type { EndpointConfig, S3Client } from './types.ts';

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
