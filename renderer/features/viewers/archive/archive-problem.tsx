import { FileX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { ViewerFrame } from '../frame/frame.tsx';
import { ViewerFailed } from '../frame/viewer-failed.tsx';
import { maxExtractedBytes, TooLarge } from './archive.ts';

interface ArchiveProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
  /** The viewer's own buttons. */
  readonly toolbar?: ReactNode;
}

/** Shows an error in fetching the bytes of an archive, or in the bytes themselves. */
export function ArchiveProblem({ thrown, onRetry, toolbar }: ArchiveProblemProps) {
  const { t } = useTranslation();
  const error = appErrorOf(thrown);
  if (error.code !== 'internal') return <ViewerFailed error={error} onRetry={onRetry} toolbar={toolbar} />;
  const isTooLarge = thrown instanceof TooLarge;
  return (
    <ViewerFrame toolbar={toolbar}>
      <EmptyState
        icon={<FileX size={28} />}
        title={t(isTooLarge ? 'viewers.none.too-large' : 'viewers.archive.damaged')}
        body={
          isTooLarge
            ? t('viewers.archive.tooLargeBody', { limit: formatBytes(maxExtractedBytes) })
            : t('viewers.archive.damagedBody')
        }
      />
    </ViewerFrame>
  );
}
