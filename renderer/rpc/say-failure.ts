import { useCallback } from 'react';
import { showNotice, type NoticeMessage } from '../ui/notices/notices.tsx';
import { errorWords } from '../ui/words/error-words.ts';
import { appErrorOf } from './errors.ts';

/**
 * Shows a failure as a notice. Used only where no part of the page can show the error. `title` names the failed action; by
 * default, the error's own title is used. Cancelled calls show nothing.
 */
export function sayFailure(thrown: unknown, title?: NoticeMessage): void {
  const error = appErrorOf(thrown);
  if (error.code === 'cancelled') return;
  const words = errorWords(error);
  showNotice({
    tone: 'bad',
    title: title ?? ((say) => say(`${words}.title`)),
    message: (say) => say(`${words}.${title === undefined ? 'body' : 'title'}`),
  });
}

/** Runs an action and shows its failure as a notice. */
export function sayingFailure(work: () => Promise<unknown>): void {
  void (async () => {
    try {
      await work();
    } catch (thrown) {
      sayFailure(thrown);
    }
  })();
}

/** Returns `sayFailure` as an `onError` handler for react-query. The handler changes with `title`, so pass a stable function. */
export function useFailureToast(title?: NoticeMessage): (thrown: unknown) => void {
  return useCallback((thrown: unknown) => sayFailure(thrown, title), [title]);
}
