import { FileX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { TooComplex } from '../columnar/table-reader.ts';

interface ColumnarProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
}

/** What went wrong on the way to the bytes, in them, or with the decoder itself. */
export function ColumnarProblem({ thrown, onRetry }: ColumnarProblemProps) {
  const { t } = useTranslation();
  if (!(thrown instanceof TooComplex)) return <ArchiveProblem thrown={thrown} onRetry={onRetry} />;
  return (
    <ViewerFrame>
      <EmptyState
        icon={<FileX size={28} />}
        title={t('viewers.columnar.tooComplex')}
        body={t('viewers.columnar.tooComplexBody')}
      />
    </ViewerFrame>
  );
}
