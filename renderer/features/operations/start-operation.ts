import type { TFunction } from 'i18next';
import type { SelectionItem, VersionMode } from '../../../shared/models/operations.ts';
import { nameText } from '../../../shared/keys/display.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { showStartedNotice, showNotice } from '../../ui/notices/notices.tsx';
import { showStartedJob } from '../transfers/index.ts';
import { copyName } from './names.ts';
import { type OperationServices, openOperation } from './operation-dialog-store.ts';
import {
  dropVerdict,
  type Transfer,
  itemChunks,
  itemOf,
  nameOf,
  placeText,
  countText,
  type Chosen,
  type OperationPlace,
} from './chosen.ts';

/** Handles a paste or drop: starts it, asks for confirmation, or says why it is refused. Returns false if refused. */
export function beginTransfer(transfer: Transfer, services: OperationServices, t: TFunction): boolean {
  const verdict = dropVerdict(transfer);
  switch (verdict.kind) {
    case 'refused':
      showNotice({
        tone: 'warning',
        title: (say) => say('operations.refused.title'),
        message: (say) => say(`operations.refused.${verdict.why}`),
        staysMs: 5000,
      });
      return false;
    case 'ask':
      openOperation({ kind: 'move', transfer });
      return true;
    case 'duplicate': {
      const [only, ...others] = transfer.rows;
      if (only !== undefined && others.length === 0)
        openOperation({ kind: 'duplicate', place: transfer.to, row: only });
      else sayingFailure(() => duplicateMany(transfer, services, t));
      return true;
    }
    case 'go':
      sayingFailure(() => runTransfer(transfer));
      return true;
    default:
      return verdict satisfies never;
  }
}

/** Enqueues the copy or move, and shows its job. */
export async function runTransfer({ from, rows, to, isMove }: Transfer): Promise<void> {
  const { connectionId, bucket, folder } = to;
  const jobIds: string[] = [];
  for (const items of itemChunks(rows)) {
    const { jobId } = await rpc.operations.copy({
      from: { connectionId: from.connectionId, bucket: from.bucket, basePrefix: from.folder },
      items,
      to: { connectionId, bucket, prefix: folder },
      options: { onConflict: 'ask', isMove },
    });
    if (jobId !== null) jobIds.push(jobId);
  }
  showStartedNotice((say) =>
    say(isMove ? 'operations.started.move' : 'operations.started.copy', {
      things: countText(rows, say),
      place: placeText(to),
    }),
  );
  if (jobIds[0] !== undefined) showStartedJob(jobIds[0]);
}

/** Copies an object or a folder next to its original under the new name. */
export async function runDuplicate(
  place: OperationPlace,
  row: Chosen,
  newName: string,
): Promise<{ readonly jobId: string | null; readonly key: string }> {
  const { connectionId, bucket, folder } = place;
  const key = `${folder}${newName}${row.kind === 'folder' ? '/' : ''}`;
  // Uses the whole key as the base prefix, so that the new key replaces all of it.
  const { jobId } = await rpc.operations.copy({
    from: { connectionId, bucket, basePrefix: row.key },
    items: [itemOf(row)],
    to: { connectionId, bucket, prefix: key },
    options: { onConflict: 'ask', isMove: false },
  });
  return { jobId, key };
}

/** Duplicates several rows. The core numbers the copies of objects; here, each folder gets the first free name. */
async function duplicateMany(transfer: Transfer, services: OperationServices, t: TFunction): Promise<void> {
  const { to, rows } = transfer;
  const objects = rows.filter(({ kind }) => kind === 'object');
  const folders = rows.filter(({ kind }) => kind === 'folder');
  if (objects.length > 0) await runTransfer({ ...transfer, rows: objects });
  for (const row of folders) {
    const { jobId } = await runDuplicate(to, row, freeCopyName(to, row, services, t));
    if (jobId !== null) showStartedJob(jobId);
  }
}

export function freeCopyName(
  place: OperationPlace,
  row: Chosen,
  services: OperationServices,
  t: TFunction,
): string {
  const isFolder = row.kind === 'folder';
  const word = (name: string, number: number): string =>
    number === 1
      ? t('operations.duplicate.copyName', { name })
      : t('operations.duplicate.copyNameNumbered', { name, number });
  return copyName(nameOf(row), isFolder, word, (name) =>
    services.has(place, row.kind, `${place.folder}${name}${isFolder ? '/' : ''}`),
  );
}

/** Renames within the same folder. */
export async function runRename(
  place: OperationPlace,
  row: Chosen,
  newName: string,
  services: OperationServices,
): Promise<void> {
  const { connectionId, bucket, folder } = place;
  const { kind } = row;
  const { jobId } = await rpc.operations.rename({
    connectionId,
    bucket,
    item: itemOf(row),
    newName,
    onConflict: 'ask',
  });
  if (jobId === null) return;
  services.changedBy(jobId, place, kind, `${folder}${newName}${kind === 'folder' ? '/' : ''}`);
  if (kind === 'folder') showStartedJob(jobId);
  else
    showStartedNotice((say) =>
      say('operations.started.rename', { name: nameText(nameOf(row), say('common.keyText.empty')) }),
    );
}

export async function runDelete(
  { connectionId, bucket }: OperationPlace,
  items: readonly SelectionItem[][],
  versions: VersionMode,
): Promise<void> {
  const jobIds: string[] = [];
  for (const chunk of items)
    jobIds.push((await rpc.operations.delete({ connectionId, bucket, items: chunk, versions })).jobId);
  if (jobIds[0] !== undefined) showStartedJob(jobIds[0]);
}
