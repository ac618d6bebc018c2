import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { closeUploadDialog, openUpload, type UploadDialogProps } from '../model/uploads-store.ts';

/** Asks for the key and id of an upload that the service does not list, and opens the upload. Uses the key exactly as typed. */
export function TypedDialog({ request }: UploadDialogProps<'typed'>) {
  const { where } = request;
  const { t } = useTranslation();
  const [typed, setTyped] = useState({ bucket: where.bucket ?? '', key: where.prefix, uploadId: '' });
  const [tried, setTried] = useState(false);
  const named = { bucket: typed.bucket.trim(), key: typed.key, uploadId: typed.uploadId.trim() };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.values(named).includes('')) return;
    closeUploadDialog();
    openUpload({ connectionId: where.connectionId, ...named });
  };

  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.typed.title')} size={520}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <p>{t('stalled.typed.body')}</p>
          {(['bucket', 'key', 'uploadId'] as const).map((field) => (
            <TextInput
              key={field}
              spellCheck={false}
              autoComplete="off"
              label={t(`stalled.typed.${field}`)}
              {...(field === 'key'
                ? { 'data-autofocus': true, placeholder: t('stalled.typed.keyPlaceholder') }
                : {})}
              value={typed[field]}
              error={tried && named[field] === '' ? t('stalled.typed.missing') : null}
              onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [field]: value }))}
            />
          ))}
          <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.typed.cancel')}>
            <Button type="submit">{t('stalled.typed.open')}</Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
