import { Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function Reading() {
  const { t } = useTranslation();
  return <Loader size={20} role="status" aria-label={t('properties.loading')} />;
}

/** Says that the service lacks a function, without looking like an error. */
export function Unsupported({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {text}
    </Text>
  );
}
