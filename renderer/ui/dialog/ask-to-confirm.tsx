import { modals } from '@mantine/modals';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

export interface ConfirmQuestion {
  readonly title: string;
  readonly body: ReactNode;
  readonly labels: { readonly confirm: string; readonly cancel: string };
  /**
   * The harm of pressing Return too early. With `light` there is none, so the confirming button has focus. `heavy` costs
   * something or stops a running job, and `destructive` loses data, so the cancel button has focus.
   */
  readonly weight: 'light' | 'heavy' | 'destructive';
  readonly onConfirm: () => void;
  /** Also called after a confirmation, following `onConfirm`. */
  readonly onClose?: () => void;
}

const begins = { 'data-autofocus': true };

/** Asks for confirmation. Escape and Cancel leave everything unchanged. */
export function askToConfirm(
  { title, body, labels, weight, onConfirm, onClose }: ConfirmQuestion,
  t: TFunction,
): void {
  modals.openConfirmModal({
    closeButtonProps: { 'aria-label': t('common.close') },
    title,
    children: body,
    labels,
    confirmProps: {
      ...(weight === 'light' ? begins : {}),
      ...(weight === 'destructive' ? { color: 'red' } : {}),
    },
    cancelProps: weight === 'light' ? {} : begins,
    onConfirm,
    ...(onClose === undefined ? {} : { onClose }),
  });
}
