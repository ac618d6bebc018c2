import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { LocalFolder } from './local-actions.ts';

interface NewLocalFolderProps {
  readonly folder: LocalFolder;
  readonly onMade: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for a name and creates a folder on this computer. */
export function NewLocalFolder({ folder, onMade, onClose }: NewLocalFolderProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => rpc.files.makeFolder({ folderHandle: folder.handle, name }),
    onSuccess: (made) => {
      onMade(made.name);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('operations.newFolder.title')} size={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') make.mutate();
        }}
      >
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t('operations.name.label')}
            description={t('files.newFolderIn', { name: folder.name })}
            value={name}
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          {make.error === null ? null : <ErrorNotice error={appErrorOf(make.error)} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={name === ''} loading={make.isPending}>
              {t('operations.newFolder.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
