import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { appErrorOf } from './errors.ts';
import { errorWords } from '../ui/error-words.ts';

/** Does the work, and tells in a notice when it fails; what was cancelled needs no word. */
export function sayingFailure(t: TFunction, work: () => Promise<unknown>): void {
  void (async () => {
    try {
      await work();
    } catch (thrown) {
      const error = appErrorOf(thrown);
      if (error.code === 'cancelled') return;
      const words = errorWords(error);
      notifications.show({
        color: 'red',
        closeButtonProps: { 'aria-label': t('common.close') },
        title: t(`${words}.title`),
        message: t(`${words}.body`),
      });
    }
  })();
}
