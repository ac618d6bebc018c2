import { FileX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { TooComplexNotice } from '../frame/too-complex.tsx';
import { UnreadableFile } from '../columnar/columnar-file.ts';
import { TooComplex } from '../columnar/table-reader.ts';

interface ColumnarProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
  /** The viewer's buttons. */
  readonly toolbar: ReactNode;
}

/** Says that the bytes could not be fetched, are damaged, or broke the decoder. */
export function ColumnarProblem({ thrown, onRetry, toolbar }: ColumnarProblemProps) {
  const { t } = useTranslation();
  if (thrown instanceof UnreadableFile) {
    const isEncrypted = thrown.problem === 'encrypted';
    return (
      <ViewerFrame toolbar={toolbar}>
        <EmptyState
          icon={<FileX size={28} />}
          title={t(isEncrypted ? 'viewers.columnar.encryptedFile' : 'viewers.columnar.bigEndian')}
          body={t(isEncrypted ? 'viewers.columnar.encryptedFileBody' : 'viewers.columnar.bigEndianBody')}
        />
      </ViewerFrame>
    );
  }
  if (!(thrown instanceof TooComplex))
    return <ArchiveProblem thrown={thrown} onRetry={onRetry} toolbar={toolbar} />;
  return <TooComplexNotice toolbar={toolbar} />;
}
