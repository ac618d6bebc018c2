import { Button, Stack } from '@mantine/core';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Sentence } from '../../ui/dialog/dialog-words.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { placeText } from './chosen.ts';
import { NameField, OperationFooter } from './operation-dialog-parts.tsx';
import { folderParts, newFolderProblem, withoutTrailingSlash } from './names.ts';
import type { OperationDialogProps } from './operation-dialog-store.ts';

/** Asks for a name and creates a folder, which is an empty object whose key ends in a slash. */
export function NewFolderDialog({ request, services, onClose }: OperationDialogProps<'new-folder'>) {
  const { place } = request;
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const { connectionId, bucket, folder } = place;
  const problem = newFolderProblem(name, folder, (kind, key) => services.has(place, kind, key));
  const parts = problem === null ? folderParts(name) : [];
  const create = useMutation({
    mutationFn: () =>
      rpc.operations.createFolder({ connectionId, bucket, prefix: folder, name: withoutTrailingSlash(name) }),
    onSuccess: ({ created }) => {
      const [outermost = ''] = parts;
      services.changed(place, 'folder', `${folder}${outermost}/`);
      if (!created) showNotice({ message: (say) => say('operations.newFolder.existed', { name }) });
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
          <Sentence>{t('operations.newFolder.where', { place: placeText(place) })}</Sentence>
          <NameField
            label={t('operations.name.label')}
            value={name}
            problem={problem}
            isTouched={name !== ''}
            selected={0}
            note={
              parts.length < 2
                ? null
                : t('operations.name.nested', { count: parts.length, path: parts.join(' / ') })
            }
            onChange={setName}
            t={t}
          />
          {create.error === null ? null : (
            <ErrorNotice error={appErrorOf(create.error)} permission="s3:PutObject" />
          )}
          <OperationFooter>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={problem !== null} loading={create.isPending}>
              {t('operations.newFolder.create')}
            </Button>
          </OperationFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
