import type { SharedWork, CopyContext } from './copy-context.ts';
import { GroupCommit } from '../../jobs/group-commit.ts';
import { ListedLooks } from '../objects/listed-looks.ts';
import { removalsOf, type RemovalDeps } from './remove-sources.ts';

const maxInOneCommit = 32;

/** Creates the work that the items of one run share. The run's signal aborts its requests. */
export function sharedWorkOf(
  context: Omit<CopyContext, 'shared'>,
  deps: Pick<RemovalDeps, 'whole'>,
): SharedWork {
  const { signal, client, target, job, to, operations } = context;
  const targets = new ListedLooks(target, to.bucket, signal);
  const sources = new ListedLooks(client, job.bucket, signal);
  return {
    commits: new GroupCommit(operations.store, operations.clock, maxInOneCommit),
    targets,
    removals: removalsOf({ ...deps, sources, targets }),
  };
}
