import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../rpc/errors.ts';
import { errorWords } from '../../ui/error-words.ts';

/** Says that something did not work, where there is no better place for it. */
export function useFailureToast(): (thrown: unknown) => void {
  const { t } = useTranslation();
  return useCallback(
    (thrown: unknown) => {
      const error = appErrorOf(thrown);
      if (error.code === 'cancelled') return;
      const words = errorWords(error);
      notifications.show({
        color: 'red',
        closeButtonProps: { 'aria-label': t('common.close') },
        title: t(`${words}.title`),
        message: t(`${words}.body`),
      });
    },
    [t],
  );
}
