import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import classes from '../viewers.module.css';
import type { ViewedFile } from '../frame/viewer.ts';
import { isTextEncoding, type TextEncoding, textEncodings } from './text-encoding.ts';

const memoryKey = 'text-encoding';

export interface EncodingChoice {
  /** Null for the detected encoding. */
  readonly chosen: TextEncoding | null;
  readonly choose: (encoding: TextEncoding) => void;
}

/** Returns the encoding that the user has set for a file. It is kept when another viewer or another version shows the file. */
export function useEncoding({ object }: ViewedFile): EncodingChoice {
  const [chosen, setChosen] = useState(
    () => (object?.memory.get(memoryKey) as TextEncoding | undefined) ?? null,
  );
  return {
    chosen,
    choose: (encoding) => {
      object?.memory.set(memoryKey, encoding);
      setChosen(encoding);
    },
  };
}

interface EncodingSelectProps {
  /** The chosen encoding, or null if it is detected for each name or line. */
  readonly encoding: TextEncoding | null;
  readonly onEncoding: (encoding: TextEncoding) => void;
}

/** Shows the encoding used to read a text, and lets the user choose another. */
export function EncodingSelect({ encoding, onEncoding }: EncodingSelectProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      className={classes.encoding ?? ''}
      title={encoding === null ? t('viewers.encoding.auto') : t(`viewers.encoding.names.${encoding}`)}
      aria-label={t('viewers.encoding.label')}
      value={encoding ?? 'auto'}
      onChange={({ currentTarget: { value } }) => {
        if (isTextEncoding(value)) onEncoding(value);
      }}
      data={[
        ...(encoding === null ? [{ value: 'auto', label: t('viewers.encoding.auto') }] : []),
        ...textEncodings.map((value) => ({ value, label: t(`viewers.encoding.names.${value}`) })),
      ]}
    />
  );
}
