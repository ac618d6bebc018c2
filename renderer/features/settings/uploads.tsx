import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { multipartFrom } from './multipart-limit.ts';
import { mebibytesOf } from './preview-limit.ts';
import { useSettings } from './use-settings.ts';

/** From which size on files go in parts. How they are stored is a matter of each connection. */
export function Uploads() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? mebibytesOf(settings.multipartFromBytes);
  const fromBytes = multipartFrom(shown);
  return (
    <NumberInput
      size="sm"
      maw={280}
      label={t('settings.multipartFrom')}
      description={t('settings.multipartFromDescription')}
      error={fromBytes === null ? t('settings.multipartFromInvalid') : undefined}
      suffix={` ${t('settings.mebibytes')}`}
      min={5}
      max={5120}
      value={shown}
      onChange={setTyped}
      onBlur={() => {
        if (fromBytes === null) return;
        setTyped(null);
        if (fromBytes !== settings.multipartFromBytes) update({ multipartFromBytes: fromBytes });
      }}
    />
  );
}
