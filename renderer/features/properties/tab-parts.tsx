import { Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function Reading() {
  const { t } = useTranslation();
  return <Loader size={20} role="status" aria-label={t('properties.loading')} />;
}

/** What a service lacks is said calmly: nothing has failed. */
export function Unsupported({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {text}
    </Text>
  );
}
