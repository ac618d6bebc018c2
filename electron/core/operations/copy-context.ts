import type { ObjectRef, S3Client } from '../s3/types.ts';
import type { ItemContext } from '../transfers/item-context.ts';
import type { Item } from '../transfers/transfer-job.ts';
import type { OperationDeps } from './operation-deps.ts';

/** What the copy of one object has at hand: `client` reads the source, `target` writes. */
export interface CopyContext extends ItemContext {
  readonly operations: OperationDeps;
  readonly target: S3Client;
  readonly to: { readonly connectionId: string; readonly bucket: string };
  /** The two are different connections: the bytes go through this computer. */
  readonly isRelay: boolean;
  /** What the services have turned out not to have, for the rest of this run. */
  readonly absent: Absent;
}

export interface Absent {
  conditions: boolean;
  conditionalDelete: boolean;
  tags: boolean;
}

export function sourceRef(context: CopyContext, item: Item): ObjectRef {
  const ref = { bucket: context.job.bucket, key: item.key };
  return item.versionId === null ? ref : { ...ref, versionId: item.versionId };
}

export function targetRef(context: CopyContext, item: Item): { bucket: string; key: string } {
  return { bucket: context.to.bucket, key: item.local };
}
