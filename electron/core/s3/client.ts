import { ConditionMemory } from './model/condition-memory.ts';
import { RequestPace } from './model/request-pace.ts';
import { createExecutor } from './http/executor.ts';
import type { ClockOffset, ExecutorDeps } from './http/s3-operation.ts';
import { createLister } from './listing/list-objects.ts';
import { batchOperations } from './requests/batch-requests.ts';
import { bucketDocumentOperations, bucketOperations } from './requests/bucket-requests.ts';
import { multipartOperations } from './requests/multipart-requests.ts';
import { lockOperations } from './requests/object-lock-requests.ts';
import { objectOperations } from './requests/object-requests.ts';
import { presignOperations } from './requests/presign.ts';
import { restoreOperations, taggingOperations, aclOperations } from './requests/property-requests.ts';
import { versionOperations } from './requests/version-requests.ts';
import { createTransport } from './http/transport.ts';
import type { EndpointConfig } from './model/connection-types.ts';
import type { S3Client } from './model/s3-client.ts';

export type S3ClientDeps = Omit<ExecutorDeps, 'clockOffset' | 'pace'> & {
  /** The difference from the service's clock, shared by all clients of a service, so that it is determined once. */
  readonly clockOffset?: ClockOffset;
};

/** Creates a client for one service. Throws AppError('invalid-argument') if the configuration cannot be used. */
export function createS3Client(config: EndpointConfig, deps: S3ClientDeps): S3Client {
  const clockOffset = deps.clockOffset ?? { offsetMs: 0 };
  const pace = new RequestPace();
  const executor = createExecutor(
    config,
    { ...deps, clockOffset, pace },
    createTransport(config, deps.timeouts?.connectMs, deps.systemProxy),
  );
  return {
    conditions: new ConditionMemory(),
    partLimits: executor.partLimits,
    checksums: executor.checksums,
    defaultEncryption: () => config.writeEncryption?.() ?? { kind: 'none' },
    pace,
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
    ...batchOperations(executor),
    ...createLister(executor),
    close: async () => await executor.close(),
  };
}
