import { Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { orpc } from '../../rpc/client.ts';
import { useSettings } from './use-settings.ts';

/** Shows the confirmations that can be turned off. Confirmations for deleting and replacing cannot. */
export function Confirmations() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const host = useQuery(orpc.app.info.queryOptions()).data?.host;
  return (
    <Stack gap="sm">
      <Switch
        label={t('settings.confirmLinks')}
        description={t('settings.confirmLinksDescription')}
        checked={settings.confirmLinks}
        onChange={(event) => update({ confirmLinks: event.currentTarget.checked })}
      />
      {host === 'desktop' ? (
        <Switch
          label={t('settings.confirmQuit')}
          description={t('settings.confirmQuitDescription')}
          checked={settings.confirmQuit}
          onChange={(event) => update({ confirmQuit: event.currentTarget.checked })}
        />
      ) : null}
      <Text size="xs" c="dimmed">
        {t('settings.alwaysAsked')}
      </Text>
    </Stack>
  );
}
