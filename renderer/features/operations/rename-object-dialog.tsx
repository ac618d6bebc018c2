import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Sentence } from '../../ui/dialog/dialog-words.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { nameOf } from './chosen.ts';
import { NameField, CountLine, OperationFooter } from './operation-dialog-parts.tsx';
import { newNameProblem, stemLength } from './names.ts';
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
  const run = useMutation({
    mutationFn: async () => {
      if (isRename) {
        await runRename(place, row, name, services);
        return;
      }
      const { jobId, key } = await runDuplicate(place, row, name);
      if (jobId === null) return;
      services.changedBy(jobId, place, row.kind, key);
      if (isFolder) services.showJob(jobId);
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
          <Sentence>
            {isRename
              ? t(isFolder ? 'operations.rename.folder' : 'operations.rename.object')
              : t('operations.duplicate.body')}{' '}
            {isRename && isFolder ? t('operations.rename.folderWarning') : null}
          </Sentence>
          {isFolder ? <CountLine count={count} onStop={stop} /> : null}
          {run.error === null ? null : <ErrorNotice error={appErrorOf(run.error)} />}
          <OperationFooter>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={problem !== null} loading={run.isPending}>
              {t(`operations.${change}.confirm`)}
            </Button>
          </OperationFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
