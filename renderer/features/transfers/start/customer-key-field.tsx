import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askToConfirm } from '../../../ui/dialog/ask-to-confirm.tsx';
import { orpc, rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import { Warning } from '../../../ui/dialog/dialog.tsx';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { useLatestMutation } from '../../../ui/use-stable.ts';

interface CustomerKeyFieldProps {
  readonly connectionId: string;
  readonly bucket: string;
  /** The MD5 that identifies the chosen key, or '' without a key. */
  readonly md5: string;
  readonly error: string | undefined;
  readonly onChange: (md5: string) => void;
}

/** Chooses an encryption key of the connection, or adds a new key. The core never sends stored keys back to the window. */
export function CustomerKeyField({ connectionId, bucket, md5, error, onChange }: CustomerKeyFieldProps) {
  const { t } = useTranslation();
  const keys = useQuery(orpc.transfers.customerKeys.queryOptions({ input: { connectionId }, staleTime: 0 }));
  const [isAdding, setAdding] = useState(false);
  const list = keys.data ?? [];
  const known = list.some((key) => key.md5 === md5) ? md5 : null;
  const remove = (): void => {
    askToConfirm(
      {
        title: t('jobs.uploadOptions.customerKeyRemoveTitle'),
        body: <Text size="sm">{t('jobs.uploadOptions.customerKeyRemoveBody')}</Text>,
        labels: { confirm: t('jobs.uploadOptions.customerKeyRemoveConfirm'), cancel: t('common.cancel') },
        weight: 'destructive',
        onConfirm: () => {
          sayingFailure(async () => {
            await rpc.transfers.removeCustomerKey({ connectionId, md5 });
            onChange('');
            await keys.refetch();
          });
        },
      },
      t,
    );
  };
  const isOpen = isAdding || (keys.isSuccess && list.length === 0);
  return (
    <Stack gap="xs">
      <Warning>{t('jobs.uploadOptions.customerWarning')}</Warning>
      <FailureNotice error={keys.error} onRetry={() => void keys.refetch()} />
      {list.length === 0 ? null : (
        <Select
          size="sm"
          label={t('jobs.uploadOptions.customerKey')}
          placeholder={t('jobs.uploadOptions.customerKeyChoose')}
          data={list.map((key) => ({ value: key.md5, label: key.name }))}
          value={known}
          error={error}
          onChange={(value) => onChange(value ?? '')}
        />
      )}
      {isOpen ? (
        <NewKey
          connectionId={connectionId}
          bucket={bucket}
          error={list.length === 0 ? error : undefined}
          onAdded={(added) => {
            setAdding(false);
            void keys.refetch().then(() => onChange(added));
          }}
        />
      ) : (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('jobs.uploadOptions.customerKeyAdd')}
          </Button>
          {known === null ? null : (
            <Button variant="subtle" color="red" size="xs" onClick={remove}>
              {t('jobs.uploadOptions.customerKeyRemove')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

interface NewKeyProps extends Pick<CustomerKeyFieldProps, 'connectionId' | 'bucket' | 'error'> {
  readonly onAdded: (md5: string) => void;
}

function NewKey({ connectionId, bucket, error, onAdded }: NewKeyProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const add = useLatestMutation({
    mutationFn: async () =>
      await rpc.transfers.addCustomerKey({ connectionId, bucket, name: name.trim(), key }),
    onSuccess: ({ md5 }) => onAdded(md5),
  });
  const changeKey = (next: string): void => {
    setKey(next);
    add.reset();
  };
  return (
    <Stack gap="xs">
      <TextInput
        size="sm"
        label={t('jobs.uploadOptions.customerKeyName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        size="sm"
        label={t('jobs.uploadOptions.customerKeyValue')}
        description={t('jobs.uploadOptions.customerKeyValueDescription')}
        autoComplete="off"
        value={key}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': t('jobs.uploadOptions.customerKeyShow') }}
        onChange={(event) => changeKey(event.currentTarget.value)}
      />
      <FailureNotice error={add.error} />
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => changeKey(newKey())}>
          {t('jobs.uploadOptions.customerKeyMake')}
        </Button>
        {key === '' ? null : <CopyButton value={key} label={t('jobs.uploadOptions.customerKeyCopy')} />}
        <Button
          size="xs"
          loading={add.isPending}
          disabled={name.trim() === '' || key === ''}
          onClick={() => add.mutate()}
        >
          {t('jobs.uploadOptions.customerKeyKeep')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns 256 random bits from the system, in Base64. */
function newKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
