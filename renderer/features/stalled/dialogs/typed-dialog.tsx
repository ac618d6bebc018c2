import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { closeUploadDialog, openUpload, type UploadDialogProps } from '../model/uploads-store.ts';

/** Asks for the key and id of an upload that the service does not list, and opens the upload. Uses the key exactly as typed. */
export function TypedDialog({ request }: UploadDialogProps<'typed'>) {
  const { where } = request;
  const { t } = useTranslation();
  const [bucket, setBucket] = useState(where.bucket ?? '');
  const [key, setKey] = useState(where.prefix);
  const [uploadId, setUploadId] = useState('');
  const [tried, setTried] = useState(false);
  const missing = (text: string) => (tried && text === '' ? t('stalled.typed.missing') : null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const named = { bucket: bucket.trim(), key, uploadId: uploadId.trim() };
    if (named.bucket === '' || named.key === '' || named.uploadId === '') return;
    closeUploadDialog();
    openUpload({ connectionId: where.connectionId, ...named });
  };
  const plain = { spellCheck: false, autoComplete: 'off' } as const;
  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.typed.title')} size={520}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <p>{t('stalled.typed.body')}</p>
          <TextInput
            {...plain}
            label={t('stalled.typed.bucket')}
            value={bucket}
            error={missing(bucket.trim())}
            onChange={(event) => setBucket(event.currentTarget.value)}
          />
          <TextInput
            {...plain}
            data-autofocus
            label={t('stalled.typed.key')}
            placeholder={t('stalled.typed.keyPlaceholder')}
            value={key}
            error={missing(key)}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <TextInput
            {...plain}
            label={t('stalled.typed.uploadId')}
            value={uploadId}
            error={missing(uploadId.trim())}
            onChange={(event) => setUploadId(event.currentTarget.value)}
          />
          <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.typed.cancel')}>
            <Button type="submit">{t('stalled.typed.open')}</Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
