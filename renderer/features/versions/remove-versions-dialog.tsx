import { Button, Group, Stack, Text } from '@mantine/core';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { VersionEntry, VersionRef } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatExactDate } from '../../ui/words/format.ts';

interface RemoveDialogProps {
  readonly version: VersionRef;
  readonly entry: VersionEntry;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before one version is permanently deleted. "Keep it" has focus. */
export function RemoveVersionsDialog({ version, entry, onClose, onDone }: RemoveDialogProps) {
  const { t } = useTranslation();
  const isMarker = entry.isDeleteMarker;
  const name = nameText(lastSegment(entry.key), t('common.keyText.empty'));
  const time = entry.lastModified === null ? t('versions.unknownTime') : formatExactDate(entry.lastModified);
  const remove = useMutation({
    mutationFn: async () => await rpc.versions.remove(version),
    onSuccess: () => {
      showNotice({
        message: (say) => say(isMarker ? 'versions.removedMarker' : 'versions.removed'),
        staysMs: 2500,
      });
      onClose();
      onDone();
    },
  });
  return (
    <Dialog onClose={onClose} title={t(isMarker ? 'versions.confirm.titleMarker' : 'versions.confirm.title')}>
      <Stack gap="sm">
        <Text size="sm">
          {t(isMarker ? 'versions.confirm.bodyMarker' : 'versions.confirm.body', { name, time })}
        </Text>
        {entry.isLatest && !isMarker ? <Text size="sm">{t('versions.confirm.bodyLatest')}</Text> : null}
        {remove.error === null ? null : (
          <ErrorNotice error={appErrorOf(remove.error)} permission="s3:DeleteObjectVersion" />
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('versions.confirm.cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t(isMarker ? 'versions.confirm.removeMarker' : 'versions.confirm.remove')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
