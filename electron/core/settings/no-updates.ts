import { failure } from '../../../shared/errors.ts';
import type { Updates } from '../ports.ts';

const unsupported = (): Promise<never> =>
  Promise.reject(failure('unsupported', 'This copy of Cooper is not updated by itself.'));

/** Implements `Updates` for a host that cannot update Cooper: a package manager or the user does. */
export const noUpdates: Updates = {
  status: () => ({ kind: 'off', reason: 'browser' }),
  check: unsupported,
  download: unsupported,
  cancel: () => undefined,
  install: unsupported,
};
