import type { ReactNode } from 'react';
import { ViewerFrame } from './frame.tsx';
import { ReadFailure, type ReadFailureProps } from './read-failure.tsx';

interface ViewerFailedProps extends Pick<ReadFailureProps, 'error' | 'onRetry'> {
  /** Shown before the common buttons. */
  readonly end?: ReactNode;
  /** The viewer's buttons. */
  readonly toolbar?: ReactNode;
}

/** Shown in place of a file that could not be read. */
export function ViewerFailed({ error, onRetry, end, toolbar }: ViewerFailedProps) {
  return (
    <ViewerFrame end={end} toolbar={toolbar}>
      <ReadFailure variant="page" error={error} onRetry={onRetry} />
    </ViewerFrame>
  );
}
