import { GroupCommit } from '../jobs/group-commit.ts';
import type { Batches } from '../flow/batches.ts';
import type { CopyContext } from './copy-context.ts';
import { ListedLooks } from './listed-looks.ts';
import { removalsOf, type Removal, type RemovalDesk, type Removed } from './remove-sources.ts';

/** What the many objects of one pass do together: writes of the store, looks, deletions. */
export interface Many {
  readonly commits: GroupCommit;
  readonly targets: ListedLooks;
  readonly removals: Batches<Removal, Removed>;
}

const mostInOneCommit = 32;

/** For one pass, whose signal ends its requests. */
export function manyOf(context: Omit<CopyContext, 'many'>, desk: Pick<RemovalDesk, 'whole'>): Many {
  const { signal, client, target, job, to, operations } = context;
  const targets = new ListedLooks(target, to.bucket, signal);
  const sources = new ListedLooks(client, job.bucket, signal);
  return {
    commits: new GroupCommit(operations.store, operations.clock, mostInOneCommit),
    targets,
    removals: removalsOf({ ...desk, sources, targets }),
  };
}
