import { Button } from '@mantine/core';
import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';

interface Props {
  readonly storageClass: string | null;
  readonly onShow: () => void;
}

/** Shown instead of an object that costs extra to read, until the user asks for the content. */
export function PaidClass({ storageClass, onShow }: Props) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<Coins size={28} />}
      title={t('viewers.paid.title')}
      body={t('viewers.paid.body', { storageClass: storageClass ?? '' })}
      actions={
        <Button size="xs" variant="default" onClick={onShow}>
          {t('viewers.paid.show')}
        </Button>
      }
    />
  );
}
