import type { ReactNode } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { ViewerFrame } from './frame.tsx';

interface ViewerFailedProps {
  readonly error: AppError;
  /** Without it there is nothing to try again. */
  readonly onRetry?: () => unknown;
  /** Shown before the common buttons. */
  readonly end?: ReactNode;
}

/** In place of a file whose bytes could not be read. */
export function ViewerFailed({ error, onRetry, end }: ViewerFailedProps) {
  return (
    <ViewerFrame end={end}>
      <ErrorNotice
        variant="page"
        permission="s3:GetObject"
        error={error}
        {...(onRetry === undefined ? {} : { onRetry: () => void onRetry() })}
      />
    </ViewerFrame>
  );
}
