import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { closeConnectionDialog, type OpenPlace } from '../model/connection-dialog-store.ts';
import { parsePlace } from '../model/connection-form-model.ts';
import { useConnectionActions } from '../model/connection-queries.ts';

interface Props {
  readonly connectionId: string;
  readonly onOpen: (place: OpenPlace) => void;
}

/** Asks for the name of a bucket, or of a folder in a bucket. Opens it and remembers the bucket. */
export function OpenByNameDialog({ connectionId, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={closeConnectionDialog} title={t('connections.openByName.title')}>
      <OpenByNameForm
        connectionId={connectionId}
        onCancel={closeConnectionDialog}
        onOpen={(place) => {
          closeConnectionDialog();
          onOpen(place);
        }}
      />
    </Dialog>
  );
}

export function OpenByNameForm({
  connectionId,
  onOpen,
  onCancel,
}: Props & { readonly onCancel?: () => void }) {
  const { t } = useTranslation();
  const { rememberBucket } = useConnectionActions();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const place = parsePlace(typed);
  const wrong = place === null || /[\s\\?#]/u.test(place.bucket);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (place === null || wrong) return;
    rememberBucket.mutate({ connectionId, bucket: place.bucket });
    onOpen({ connectionId, ...place });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          size="sm"
          label={t('connections.openByName.label')}
          description={t('connections.openByName.description')}
          placeholder={t('connections.openByName.placeholder')}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          error={wrong && (tried || typed.trim() !== '') ? t('connections.openByName.invalid') : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <DialogFooter onCancel={onCancel} cancel={t('connections.openByName.cancel')}>
          <Button type="submit">{t('connections.openByName.open')}</Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
