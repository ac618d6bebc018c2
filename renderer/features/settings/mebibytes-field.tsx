import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mebibytesOf } from './mebibytes.ts';

interface Props {
  readonly label: string;
  readonly description: string;
  /** The message shown while the text is not a size. */
  readonly invalid: string;
  readonly storedBytes: number;
  readonly minMiB?: number;
  readonly maxMiB?: number;
  /** Converts the typed text to bytes, or returns null if the size is not allowed. */
  readonly bytesFrom: (typed: number | string) => number | null;
  readonly onBytes: (bytes: number) => void;
}

/**
 * A field for a size in MiB, which saves when the user leaves it. Reports a size that is not allowed instead of silently changing
 * it.
 */
export function MebibytesField({ label, description, invalid, storedBytes, ...rest }: Props) {
  const { minMiB = 0, maxMiB, bytesFrom, onBytes } = rest;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? mebibytesOf(storedBytes);
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
        if (bytes !== storedBytes) onBytes(bytes);
      }}
    />
  );
}
