import { Coins, FileX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@mantine/core';
import type { Preview } from '../../../../shared/models/objects.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';

interface NoPreviewProps {
  readonly why: Extract<Preview, { readonly kind: 'none' }>['why'] | 'unknown-type';
}

/** Shows why an object has no preview. */
export function NoPreview({ why }: NoPreviewProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FileX size={28} />}
      title={t(`viewers.none.${why}`)}
      body={t(`viewers.noneBody.${why}`)}
    />
  );
}

interface PaidClassProps {
  readonly storageClass: string | null;
  readonly onShow: () => void;
}

/** Shown instead of an object that costs extra to read, until the user asks for the content. */
export function PaidClass({ storageClass, onShow }: PaidClassProps) {
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
