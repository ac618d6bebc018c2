import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../ui/words/error-words.ts';
import { appErrorOf } from './errors.ts';

/**
 * Shows a failure as a toast, in the window's language. The only toast of failures: all others are in the place they belong to.
 * `title` names the action that failed; without it the error's own title does. Cancelled work needs no toast.
 */
export function sayFailure(t: TFunction, thrown: unknown, title?: string): void {
  const error = appErrorOf(thrown);
  if (error.code === 'cancelled') return;
  const words = errorWords(error);
  notifications.show({
    color: 'red',
    ...(title === undefined
      ? { title: t(`${words}.title`), message: t(`${words}.body`) }
      : { title, message: t(`${words}.title`) }),
  });
}

/** Does the work, and shows its failure as a toast. */
export function sayingFailure(t: TFunction, work: () => Promise<unknown>): void {
  void (async () => {
    try {
      await work();
    } catch (thrown) {
      sayFailure(t, thrown);
    }
  })();
}

/** The same for react-query's `onError`. */
export function useFailureToast(title?: string): (thrown: unknown) => void {
  const { t } = useTranslation();
  return useCallback((thrown: unknown) => sayFailure(t, thrown, title), [t, title]);
}
