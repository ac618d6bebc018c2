import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { UploadOptions as Options } from '../../../../shared/models/transfers.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { startUpload, type TransferPlace } from './start-transfer.ts';
import { uploadDraftOf, uploadOptionsOf, uploadProblems } from './upload-form.ts';
import { UploadFields } from './upload-fields.tsx';

interface UploadOptionsProps {
  readonly request: TransferPlace;
  readonly onClose: () => void;
}

/** Asks how to store the upload, then what to upload. */
export function UploadOptions(props: UploadOptionsProps) {
  const { t } = useTranslation();
  const { connectionId, bucket, folder } = props.request;
  const defaultsQuery = useQuery(
    orpc.transfers.uploadDefaults.queryOptions({ input: { connectionId }, staleTime: 0, gcTime: 0 }),
  );
  // Renders nothing until the options are known. The first field thus exists when the dialog opens, and gets focus.
  if (defaultsQuery.isPending) return null;
  return (
    <Dialog
      size="lg"
      title={t('jobs.uploadOptions.title', { name: folder === '' ? bucket : lastSegment(folder) })}
      onClose={props.onClose}
    >
      <FailureNotice error={defaultsQuery.error} onRetry={() => void defaultsQuery.refetch()} />
      {defaultsQuery.data === undefined ? null : <Form {...props} usual={defaultsQuery.data} />}
    </Dialog>
  );
}

function Form({ request, onClose, usual }: UploadOptionsProps & { readonly usual: Options }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => uploadDraftOf(usual));
  const [isSavedAsDefault, setSavedAsDefault] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = uploadProblems(draft);
  const hasProblems = Object.keys(problems).length > 0;

  const begin = (kind: FileEntry['kind']): void => {
    setSubmitted(true);
    if (hasProblems) return;
    const options = uploadOptionsOf(draft, usual);
    startUpload(request, kind, t, async () => {
      if (isSavedAsDefault)
        await rpc.transfers.setUploadDefaults({ connectionId: request.connectionId, options });
      onClose();
      return options;
    });
  };
  return (
    <Stack gap="md">
      <UploadFields
        bucket={request.bucket}
        connectionId={request.connectionId}
        draft={draft}
        problems={isSubmitted ? problems : withoutMissing(problems)}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
      <Checkbox
        checked={isSavedAsDefault}
        label={t('jobs.uploadOptions.keep')}
        description={t('jobs.uploadOptions.keepDescription')}
        onChange={(event) => setSavedAsDefault(event.currentTarget.checked)}
      />
      {isSubmitted && hasProblems ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('jobs.uploadOptions.hasProblems')}
        </Text>
      ) : null}
      <Group justify="flex-end">
        <Button variant="subtle" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button variant="default" onClick={() => begin('folder')}>
          {t('transfers.uploadFolder')}
        </Button>
        <Button onClick={() => begin('file')}>{t('transfers.uploadFiles')}</Button>
      </Group>
    </Stack>
  );
}

/** Leaves out the problem of a missing encryption key, which is shown only when the user tries to start. */
function withoutMissing(problems: ReturnType<typeof uploadProblems>): ReturnType<typeof uploadProblems> {
  const { customerKeyMd5: _missing, ...rest } = problems;
  return rest;
}
