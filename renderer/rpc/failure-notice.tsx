import type { ComponentProps } from 'react';
import { ErrorNotice } from '../ui/words/error-notice.tsx';
import { appErrorOf } from './errors.ts';

interface FailureNoticeProps extends Omit<ComponentProps<typeof ErrorNotice>, 'error'> {
  /** The error thrown by a call, a query or a stream. Null if there is none. */
  readonly error: unknown;
}

/** Shows why a call, a query or a stream failed. Renders nothing without an error. */
export function FailureNotice({ error, ...rest }: FailureNoticeProps) {
  return error === null ? null : <ErrorNotice error={appErrorOf(error)} {...rest} />;
}
