import { FileX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
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
