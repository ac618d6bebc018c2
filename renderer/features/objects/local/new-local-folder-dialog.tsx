import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../../shared/models/files.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import type { LocalFolder } from './local-actions.ts';

interface NewLocalFolderDialogProps {
  /** The folder to create it in. */
  readonly folder: LocalFolder;
  readonly onDone: (entry: FileEntry) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new folder on this computer. */
export function NewLocalFolderDialog({ folder, onDone, onClose }: NewLocalFolderDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const make = useLatestMutation({
    mutationFn: () => rpc.files.makeFolder({ folderHandle: folder.handle, name }),
    onSuccess: (entry) => {
      onDone(entry);
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
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FailureNotice error={make.error} />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" disabled={name === ''} loading={make.isPending}>
              {t('operations.newFolder.create')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
