import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mebibytesOf } from './preview-limit.ts';

interface Props {
  readonly label: string;
  readonly description: string;
  /** Shown while what is typed is no size. */
  readonly invalid: string;
  readonly keptBytes: number;
  readonly minMiB?: number;
  readonly maxMiB?: number;
  /** Converts the typed text to bytes; null: not a permitted size. */
  readonly bytesFrom: (typed: number | string) => number | null;
  readonly onBytes: (bytes: number) => void;
}

/** A size in MiB, kept when the field is left. One that may not be kept is reported, not silently changed. */
export function MebibytesField({ label, description, invalid, keptBytes, ...rest }: Props) {
  const { minMiB = 0, maxMiB, bytesFrom, onBytes } = rest;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? mebibytesOf(keptBytes);
  const bytes = bytesFrom(shown);
  return (
    <NumberInput
      size="sm"
      label={label}
      description={description}
      error={bytes === null ? invalid : undefined}
      suffix={` ${t('common.units.MiB')}`}
      min={minMiB}
      {...(maxMiB === undefined ? {} : { max: maxMiB })}
      clampBehavior="none"
      maw={280}
      value={shown}
      onChange={setTyped}
      onBlur={() => {
        if (bytes === null) return;
        setTyped(null);
        if (bytes !== keptBytes) onBytes(bytes);
      }}
    />
  );
}
