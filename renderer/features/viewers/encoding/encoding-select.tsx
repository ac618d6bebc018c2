import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../viewers.module.css';
import { isTextEncoding, textEncodings, type TextEncoding } from './text-encoding.ts';

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
