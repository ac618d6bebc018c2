import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../shared/models/files.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useSettings } from './use-settings.ts';

/** Chooses the folder for downloads that start without asking for a location. */
export function Downloads({ pick }: { readonly pick: (title: string) => Promise<FileEntry | null> }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const options = orpc.settings.downloadFolder.queryOptions();
  const folder = useQuery(options);
  const set = (folderHandle: string | null): void => {
    sayingFailure(async () => {
      client.setQueryData(options.queryKey, await rpc.settings.setDownloadFolder({ folderHandle }));
    });
  };
  const choose = (): void => {
    sayingFailure(async () => {
      const picked = await pick(t('settings.downloadPick'));
      if (picked !== null) set(picked.handle);
    });
  };
  const chosen = folder.data ?? null;
  return (
    <>
      <Text size="sm">{chosen === null ? t('settings.downloadAsks') : <KeyText name={chosen.name} />}</Text>
      <Group gap="xs" mt={8}>
        <Button variant="default" size="xs" onClick={choose}>
          {t('settings.downloadChoose')}…
        </Button>
        {chosen === null ? null : (
          <Button variant="subtle" size="xs" onClick={() => set(null)}>
            {t('settings.downloadAsk')}
          </Button>
        )}
      </Group>
      <CostLimit />
    </>
  );
}

/** The estimated cost above which a download asks first. */
function CostLimit() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? settings.downloadCostLimit;
  const isValid = typeof shown === 'number' && shown >= 0;
  return (
    <NumberInput
      size="sm"
      mt="sm"
      maw={420}
      label={t('settings.downloadCostLimit')}
      description={t('settings.downloadCostLimitDescription')}
      error={isValid ? undefined : t('settings.downloadCostLimitInvalid')}
      min={0}
      decimalScale={2}
      value={shown}
      onChange={setTyped}
      onBlur={() => {
        if (!isValid) return;
        setTyped(null);
        if (shown !== settings.downloadCostLimit) update({ downloadCostLimit: shown });
      }}
    />
  );
}
