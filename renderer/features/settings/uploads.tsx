import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../shared/models/settings.ts';
import { partBoundsMiB, partBytesFrom } from './part-bounds.ts';
import { MebibytesField } from './mebibytes-field.tsx';
import { useSettings } from './use-settings.ts';

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
      keptBytes={settings[name]}
      minMiB={partBoundsMiB.min}
      maxMiB={partBoundsMiB.max}
      bytesFrom={partBytesFrom}
      onBytes={(bytes) => update({ [name]: bytes })}
    />
  );
}
