import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { TooComplexNotice } from '../frame/too-complex.tsx';
import { TooComplex } from '../columnar/table-reader.ts';

interface ColumnarProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
}

/** An error while fetching the bytes, in the bytes, or in the decoder. */
export function ColumnarProblem({ thrown, onRetry }: ColumnarProblemProps) {
  if (!(thrown instanceof TooComplex)) return <ArchiveProblem thrown={thrown} onRetry={onRetry} />;
  return <TooComplexNotice />;
}
