import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bookmark } from '../../../shared/models/settings.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface Props {
  readonly bookmark: Bookmark;
  readonly onClose: () => void;
  readonly onRename: (name: string) => void;
}

export function RenameBookmarkDialog({ bookmark, onClose, onRename }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(bookmark.name);
  const missing = name.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing) return;
    onRename(name.trim());
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t('bookmarks.renameTitle')} size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            size="sm"
            label={t('bookmarks.name')}
            value={name}
            error={missing ? t('bookmarks.nameMissing') : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('bookmarks.cancel')}
            </Button>
            <Button type="submit">{t('bookmarks.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
