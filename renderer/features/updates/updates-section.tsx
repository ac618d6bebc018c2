import { Box, Button, Group, Progress, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/assert-never.ts';
import type { Settings } from '../../../shared/models/settings.ts';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import { updateChannels, type UpdateStatus } from '../../../shared/models/updates.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { formatBytes, formatDate } from '../../ui/words/format.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

/** Shows the settings for updates: the available version, its progress, and the choice to check automatically. */
export function UpdatesSection() {
  const { t } = useTranslation();
  const status = useQuery(orpc.updates.status.queryOptions());
  if (status.error !== null)
    return <FailureNotice error={status.error} onRetry={() => void status.refetch()} />;
  if (status.data === undefined) return null;
  if (status.data.kind === 'off') return <Text size="sm">{t(`updates.off.${status.data.reason}`)}</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {sentenceOf(status.data, t)}
      </Text>
      <Facts status={status.data} />
      <Actions status={status.data} />
      <UpdateSettings />
    </Stack>
  );
}

type Running = Exclude<UpdateStatus, { kind: 'off' }>;

function sentenceOf(status: Running, t: TFunction): string {
  switch (status.kind) {
    case 'idle':
      return status.checkedAt === null
        ? t('updates.neverChecked')
        : t('updates.current', { when: formatDate(status.checkedAt) });
    case 'checking':
      return t('updates.checking');
    case 'available':
      return status.sizeBytes === null
        ? t('updates.available', { version: status.version })
        : t('updates.availableSize', { version: status.version, size: formatBytes(status.sizeBytes) });
    case 'downloading':
      return t('updates.downloading', { version: status.version });
    case 'ready':
      return t('updates.ready', { version: status.version });
    case 'installing':
      return t('updates.installing', { version: status.version });
    case 'failed':
      return t(`updates.failed.${status.step}`);
    default:
      return assertNever(status);
  }
}

function Facts({ status }: { readonly status: Running }) {
  const { t } = useTranslation();
  const notes = 'notes' in status ? status.notes : null;
  return (
    <>
      {status.kind === 'downloading' ? (
        <Progress
          aria-label={t('updates.progress')}
          value={
            status.bytesTotal === null || status.bytesTotal === 0
              ? 100
              : Math.min(100, Math.round((status.bytesDone / status.bytesTotal) * 100))
          }
          animated={status.bytesTotal === null}
        />
      ) : null}
      {status.kind === 'failed' ? (
        <Text size="sm" c="dimmed">
          {status.error.reason === 'update-tampered' ? t('updates.tampered') : status.error.message}
        </Text>
      ) : null}
      {notes === null ? null : (
        <details>
          <summary>{t('updates.notes')}</summary>
          <Box
            component="pre"
            mah={240}
            m="8px 0 0"
            p="8px 12px"
            bd="1px solid var(--cooper-border)"
            bdrs="sm"
            ff="inherit"
            fz="sm"
            style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', userSelect: 'text' }}
          >
            {notes}
          </Box>
        </details>
      )}
    </>
  );
}

function Actions({ status }: { readonly status: Running }) {
  const { t } = useTranslation();
  const canFetch = status.kind === 'available' || (status.kind === 'failed' && status.step === 'download');
  return (
    <Group gap="xs">
      {status.kind === 'ready' ? (
        <Button size="xs" onClick={() => sayingFailure(() => rpc.updates.install())}>
          {t('updates.install')}
        </Button>
      ) : null}
      {canFetch ? (
        <Button size="xs" onClick={() => sayingFailure(() => rpc.updates.download())}>
          {t('updates.download')}
        </Button>
      ) : null}
      {status.kind === 'downloading' ? (
        <Button size="xs" variant="default" onClick={() => sayingFailure(() => rpc.updates.cancel())}>
          {t('updates.stop')}
        </Button>
      ) : null}
      {status.kind === 'idle' || status.kind === 'checking' || status.kind === 'failed' ? (
        <Button
          size="xs"
          variant="default"
          loading={status.kind === 'checking'}
          onClick={() => sayingFailure(() => rpc.updates.check())}
        >
          {t('updates.check')}
        </Button>
      ) : null}
    </Group>
  );
}

function UpdateSettings() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const options = orpc.settings.get.queryOptions();
  const settings = useQuery(options).data ?? defaultSettings;
  const update = (change: Partial<Settings>): void => {
    sayingFailure(async () => {
      client.setQueryData(options.queryKey, await rpc.settings.update(change));
    });
  };
  return (
    <>
      <Switch
        label={t('updates.daily')}
        description={t('updates.dailyDescription')}
        checked={settings.updateChecks}
        onChange={(event) => update({ updateChecks: event.currentTarget.checked })}
      />
      <div>
        <Text size="sm" fw={500} id="update-channel">
          {t('updates.channel')}
        </Text>
        <SegmentedControl
          size="sm"
          aria-labelledby="update-channel"
          data={updateChannels.map((value) => ({ value, label: t(`updates.channels.${value}`) }))}
          value={settings.updateChannel}
          onChange={(updateChannel) => update({ updateChannel })}
        />
      </div>
    </>
  );
}
