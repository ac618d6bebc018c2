import { Button, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { showNotice } from '../../ui/notices/notices.tsx';
import { rpc } from '../../rpc/client.ts';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { showStartedJob } from '../transfers/index.ts';
import { nameOf, placeText } from './chosen.ts';
import { CountLine, NameField } from './operation-dialog-parts.tsx';
import { folderParts, newFolderProblem, newNameProblem, stemLength, withoutTrailingSlash } from './names.ts';
import type { OperationDialogProps } from './operation-dialog-store.ts';
import { freeCopyName, runDuplicate, runRename } from './start-operation.ts';
import { useCount } from './use-count.ts';

/**
 * Asks for the name of a copy, or for a new name where names cannot be edited in place, such as in the map. For a folder renamed
 * in the list, asks for confirmation and says how many objects are copied and deleted.
 */
export function RenameObjectDialog(props: OperationDialogProps<'rename' | 'duplicate'>) {
  const { request, services, onClose } = props;
  const { place, row, kind: change } = request;
  const { t } = useTranslation();
  const isFolder = row.kind === 'folder';
  const isRename = change === 'rename';
  const old = nameOf(row);
  const [name, setName] = useState(
    () =>
      (request.kind === 'rename' ? request.newName : null) ??
      (isRename ? old : freeCopyName(place, row, services, t)),
  );
  const rows = useMemo(() => [row], [row]);
  const { count, stop } = useCount(place, rows);
  const problem = newNameProblem(name, row, place.folder, (kind, key) => services.has(place, kind, key));
  const run = useLatestMutation({
    mutationFn: async () => {
      if (isRename) {
        await runRename(place, row, name, services);
        return;
      }
      const { jobId, key } = await runDuplicate(place, row, name);
      if (jobId === null) return;
      services.changedBy(jobId, place, row.kind, key);
      if (isFolder) showStartedJob(jobId);
    },
    onSuccess: onClose,
  });
  const shown = { name: nameText(old, t('common.keyText.empty')) };
  return (
    <Dialog onClose={onClose} title={t(`operations.${change}.title`, shown)} size={500}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) run.mutate();
        }}
      >
        <Stack gap="sm">
          <NameField
            label={t('operations.name.newLabel')}
            value={name}
            problem={problem}
            isTouched={problem?.kind !== 'same'}
            selected={stemLength(name, isFolder)}
            onChange={setName}
            t={t}
          />
          <p>
            {isRename
              ? t(isFolder ? 'operations.rename.folder' : 'operations.rename.object')
              : t('operations.duplicate.body')}{' '}
            {isRename && isFolder ? t('operations.rename.folderWarning') : null}
          </p>
          {isFolder ? <CountLine count={count} onStop={stop} /> : null}
          <FailureNotice error={run.error} />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" disabled={problem !== null} loading={run.isPending}>
              {t(`operations.${change}.confirm`)}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Asks for a name and creates a folder, which is an empty object whose key ends in a slash. */
export function NewFolderDialog({ request, services, onClose }: OperationDialogProps<'new-folder'>) {
  const { place } = request;
  const { t } = useTranslation();
  const [folderName, setFolderName] = useState('');
  const { connectionId, bucket, folder } = place;
  const problem = newFolderProblem(folderName, folder, (kind, key) => services.has(place, kind, key));
  const parts = problem === null ? folderParts(folderName) : [];
  const create = useLatestMutation({
    mutationFn: () =>
      rpc.operations.createFolder({
        connectionId,
        bucket,
        prefix: folder,
        name: withoutTrailingSlash(folderName),
      }),
    onSuccess: ({ created }) => {
      const [outermost = ''] = parts;
      services.changed(place, 'folder', `${folder}${outermost}/`);
      if (!created)
        showNotice({ message: (say) => say('operations.newFolder.existed', { name: folderName }) });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('operations.newFolder.title')} size={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) create.mutate();
        }}
      >
        <Stack gap="sm">
          <p>{t('operations.newFolder.where', { place: placeText(place) })}</p>
          <NameField
            label={t('operations.name.label')}
            value={folderName}
            problem={problem}
            isTouched={folderName !== ''}
            selected={0}
            note={
              parts.length < 2
                ? null
                : t('operations.name.nested', { count: parts.length, path: parts.join(' / ') })
            }
            onChange={setFolderName}
            t={t}
          />
          <FailureNotice error={create.error} permission="s3:PutObject" />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" disabled={problem !== null} loading={create.isPending}>
              {t('operations.newFolder.create')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
