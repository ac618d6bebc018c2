import { Box, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { orpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { JobSettingsForm } from './job-settings-dialog.tsx';

/** The settings for parallel transfers and bandwidth, as a section of all settings. */
export function JobSettingsSection() {
  const { t } = useTranslation();
  const settings = useQuery(orpc.jobs.settings.queryOptions({ staleTime: 0 }));
  const [isSaved, setSaved] = useState(false);
  if (settings.error !== null)
    return <ErrorNotice error={appErrorOf(settings.error)} onRetry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <Loader size="sm" />;
  return (
    <>
      <Box maw={280}>
        <JobSettingsForm settings={settings.data} onSaved={() => setSaved(true)} />
      </Box>
      <Text size="sm" c="dimmed" role="status">
        {isSaved ? t('settings.saved') : ''}
      </Text>
    </>
  );
}
