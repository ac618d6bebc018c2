import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { TFunction } from 'i18next';
import type { StoredParts } from '../../../../shared/models/transfers.ts';
import { formatBytes } from '../../../ui/words/format.ts';

/** Asks whether the stored parts of a cancelled upload are kept or deleted. Closing the dialog lets the upload continue. */
export function openCancelUpload(
  { uploads, sizeBytes }: StoredParts,
  t: TFunction,
  onChosen: (parts: 'keep' | 'delete') => void,
): void {
  const modalId = 'cancel-upload';
  const choose = (parts: 'keep' | 'delete'): void => {
    modals.close(modalId);
    onChosen(parts);
  };
  const words = 'jobs.cancelUpload';
  modals.open({
    modalId,
    size: 'lg',
    closeButtonProps: { 'aria-label': t('common.close') },
    title: t(`${words}.title`),
    children: (
      <Stack gap="md">
        <Text size="sm">{t(`${words}.body`, { count: uploads, size: formatBytes(sizeBytes) })}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" mr="auto" onClick={() => modals.close(modalId)}>
            {t(`${words}.goOn`)}
          </Button>
          <Button color="red" variant="light" onClick={() => choose('delete')}>
            {t(`${words}.delete`)}
          </Button>
          <Button data-autofocus onClick={() => choose('keep')}>
            {t(`${words}.keep`)}
          </Button>
        </Group>
      </Stack>
    ),
  });
}
