import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';

/** Writes text to the clipboard. If the system refuses, a toast says so; `false` then. */
export async function copyText(t: TFunction, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notifications.show({ color: 'red', message: t('common.copyFailed') });
    return false;
  }
}

/** The same, with a toast on success. */
export async function copyAndSay(t: TFunction, text: string, said = t('common.copied')): Promise<void> {
  if (await copyText(t, text)) notifications.show({ message: said, autoClose: 1500 });
}
