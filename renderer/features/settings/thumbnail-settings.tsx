import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { settingsSchema } from '../../../shared/models/settings.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { formatBytes } from '../../ui/words/format.ts';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { MebibytesField } from './mebibytes-field.tsx';
import { limitFrom } from './mebibytes.ts';
import { useSettings } from './use-settings.ts';

type Limit = 'thumbnailImageBytes' | 'thumbnailCacheBytes';

/** Shows settings for making thumbnails, and the disk space that stored thumbnails take. */
export function Thumbnails() {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <LimitField name="thumbnailImageBytes" />
      <LimitField name="thumbnailCacheBytes" />
      <Group gap="sm">
        <StoredThumbnails />
      </Group>
      <Text size="xs" c="dimmed" maw={460}>
        {t('settings.thumbnails.never')}
      </Text>
    </Stack>
  );
}

function LimitField({ name }: { readonly name: Limit }) {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const queries = useQueryClient();
  return (
    <MebibytesField
      label={t(`settings.thumbnails.${name}`)}
      description={t(`settings.thumbnails.${name}Description`)}
      invalid={t(`settings.thumbnails.${name}Invalid`)}
      storedBytes={settings[name]}
      bytesFrom={(typed) => {
        const bytes = limitFrom(typed);
        return settingsSchema.shape[name].safeParse(bytes).success ? bytes : null;
      }}
      onBytes={(bytes) => {
        update(name === 'thumbnailImageBytes' ? { [name]: bytes } : { [name]: bytes });
        void queries.invalidateQueries({ queryKey: orpc.thumbnails.use.key() });
      }}
    />
  );
}

/** Shows the total size of the stored thumbnails, and a button to remove them. */
function StoredThumbnails() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(orpc.thumbnails.use.queryOptions({ staleTime: 0 }));
  const clear = useLatestMutation({
    mutationFn: async () => await rpc.thumbnails.clear(),
    onSettled: async () => await queries.invalidateQueries({ queryKey: orpc.thumbnails.use.key() }),
  });
  const failed = clear.error ?? error;
  if (failed !== null)
    return (
      <FailureNotice
        error={failed}
        onRetry={() => {
          clear.reset();
          void refetch();
        }}
      />
    );
  return (
    <>
      <Text size="sm" role="status">
        {data === undefined
          ? t('common.loading')
          : t('settings.thumbnails.kept', { count: data.count, size: formatBytes(data.sizeBytes) })}
      </Text>
      <Button
        variant="default"
        disabled={data === undefined || data.count === 0}
        loading={clear.isPending}
        onClick={() => clear.mutate()}
      >
        {t('settings.thumbnails.clear')}
      </Button>
    </>
  );
}
