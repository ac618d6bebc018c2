import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../shared/models/files.ts';
import type { Settings } from '../../../shared/models/settings.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useSettings } from './use-settings.ts';
import { partBoundsMiB, partBytesFrom } from './mebibytes.ts';
import { MebibytesField } from './mebibytes-field.tsx';

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

/** Shows the size from which files are uploaded in parts, and the size of the parts. Storage options are set per connection. */
export function Uploads() {
  return (
    <Stack gap="sm">
      <PartField name="multipartFromBytes" words="multipartFrom" />
      <PartField name="partSizeBytes" words="partSize" />
    </Stack>
  );
}

interface PartFieldProps {
  readonly name: keyof Settings & ('multipartFromBytes' | 'partSizeBytes');
  readonly words: 'multipartFrom' | 'partSize';
}

function PartField({ name, words }: PartFieldProps) {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <MebibytesField
      label={t(`settings.${words}`)}
      description={t(`settings.${words}Description`)}
      invalid={t('settings.partBoundsInvalid')}
      storedBytes={settings[name]}
      minMiB={partBoundsMiB.min}
      maxMiB={partBoundsMiB.max}
      bytesFrom={partBytesFrom}
      onBytes={(bytes) => update({ [name]: bytes })}
    />
  );
}
