import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../../shared/models/files.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';

interface LocalNameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly description?: string;
  /** The name to begin with; it cannot be submitted unchanged. */
  readonly current: string;
  readonly confirm: string;
  readonly submit: (name: string) => Promise<FileEntry>;
  readonly onDone: (entry: FileEntry) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new folder on this computer, or for the new name of a file or folder. */
export function LocalNameDialog(props: LocalNameDialogProps) {
  const { title, label, description, current, confirm, submit, onDone, onClose } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(current);
  const make = useMutation({
    mutationFn: submit,
    onSuccess: (entry) => {
      onDone(entry);
      onClose();
    },
  });
  const isReady = name !== '' && name !== current;
  return (
    <Dialog onClose={onClose} title={title} size={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) make.mutate(name);
        }}
      >
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={label}
            description={description}
            value={name}
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => {
              // The extension usually stays.
              const dot = current.lastIndexOf('.');
              event.currentTarget.setSelectionRange(0, dot > 0 ? dot : current.length);
            }}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          {make.error === null ? null : <ErrorNotice error={appErrorOf(make.error)} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={make.isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
