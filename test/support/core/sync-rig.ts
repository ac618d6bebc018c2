import type { SyncComparison, SyncDirection, SyncRow, SyncStatus } from '../../../shared/models/sync.ts';
import type { TransferRig } from './transfers-rig.ts';

export interface MadePlan {
  readonly planId: string;
  readonly status: SyncStatus;
  readonly rows: readonly SyncRow[];
  /** Returns a line `action key` for each row that is not `same`, with the reason if the row has one. */
  readonly changes: readonly string[];
}

/** Makes a plan and waits until it is complete. Returns the plan with all its rows. */
export async function makePlan(
  rig: TransferRig,
  direction: SyncDirection,
  folder: string,
  prefix: string,
  comparison: SyncComparison = 'size-time',
  takesLinksOut = false,
): Promise<MadePlan> {
  const { planId } = await rig.syncs.plan({
    connectionId: 'c',
    bucket: rig.bucket,
    prefix,
    folderHandle: folder,
    direction,
    comparison,
    takesLinksOut,
  });
  let status: SyncStatus | null = null;
  for await (const next of rig.syncs.watch(planId, new AbortController().signal)) status = next;
  if (status === null) throw new Error('The plan said nothing.');
  const { rows } = rig.syncs.read(planId, 'all', 0, 1000);
  const changes = rows
    .filter(({ action }) => action !== 'same')
    .map(({ action, key, reason }) => [action, key, ...(reason === null ? [] : [reason])].join(' '));
  return { planId, status, rows, changes };
}

/** Runs a plan and waits until its job has ended. Returns null if the plan had nothing to do. */
export async function runPlan(
  rig: TransferRig,
  { planId, status }: MadePlan,
  withDeletions: boolean,
): Promise<string | null> {
  const { jobIds } = await rig.syncs.run(
    planId,
    withDeletions,
    withDeletions ? status.counts.delete.items : 0,
  );
  const [jobId] = jobIds;
  await rig.syncs.closePlan(planId);
  if (jobId === undefined) return null;
  await rig.settle(jobId);
  return jobId;
}
