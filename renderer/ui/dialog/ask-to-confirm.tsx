import { modals } from '@mantine/modals';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

export interface ConfirmQuestion {
  readonly title: string;
  readonly body: ReactNode;
  readonly labels: { readonly confirm: string; readonly cancel: string };
  /**
   * What a Return pressed too early would do. `light`: nothing to be sorry for, so the keyboard begins on the answer that was meant;
   * `heavy`: it costs something, or stops what runs; `destructive`: something is lost. Those two begin on the way back.
   */
  readonly weight: 'light' | 'heavy' | 'destructive';
  readonly onConfirm: () => void;
  /** Also after a confirmation, which comes first. */
  readonly onClose?: () => void;
}

const begins = { 'data-autofocus': true };

/** Asks before something is done. Escape and the way back leave all as it is. */
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
