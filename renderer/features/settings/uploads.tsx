import { NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../shared/models/app.ts';
import { partBoundsMiB, partBytesFrom } from './part-bounds.ts';
import { mebibytesOf } from './preview-limit.ts';
import { useSettings } from './use-settings.ts';

/** From which size on files go in parts, and how large those are. How they are stored is a matter of each connection. */
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
  const [typed, setTyped] = useState<number | string | null>(null);
  const kept = settings[name];
  const shown = typed ?? mebibytesOf(kept);
  const bytes = partBytesFrom(shown);
  return (
    <NumberInput
      size="sm"
      label={t(`settings.${words}`)}
      description={t(`settings.${words}Description`)}
      error={bytes === null ? t('settings.partBoundsInvalid') : undefined}
      suffix={` ${t('entries.settings.mebibytes')}`}
      min={partBoundsMiB.min}
      max={partBoundsMiB.max}
      // A value out of bounds is reported, not silently changed.
      clampBehavior="none"
      maw={280}
      value={shown}
      onChange={setTyped}
      onBlur={() => {
        if (bytes === null) return;
        setTyped(null);
        if (bytes !== kept) update({ [name]: bytes });
      }}
    />
  );
}
