import { FileX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ViewerFrame } from './frame.tsx';

/** Says that a decoder was stopped because of too much work. */
export function TooComplexNotice({ toolbar }: { readonly toolbar?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ViewerFrame toolbar={toolbar}>
      <EmptyState
        icon={<FileX size={28} />}
        title={t('viewers.columnar.tooComplex')}
        body={t('viewers.columnar.tooComplexBody')}
      />
    </ViewerFrame>
  );
}
