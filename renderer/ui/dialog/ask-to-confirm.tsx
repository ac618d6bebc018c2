import { modals } from '@mantine/modals';
import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

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

interface Props {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Asks before a dialog closes with unsaved changes. Replaces the dialog's buttons, so that it cannot be overlooked. */
export function DiscardQuestion({ onStay, onDiscard }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Group gap="sm" role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <Stack gap={0} flex="1 1 12rem">
        <strong id={`${id}-title`}>{t('common.discard.title')}</strong>
        <span id={`${id}-body`}>{t('common.discard.body')}</span>
      </Stack>
      <Button variant="default" ref={stay} onClick={onStay}>
        {t('common.discard.cancel')}
      </Button>
      <Button color="red" onClick={onDiscard}>
        {t('common.discard.confirm')}
      </Button>
    </Group>
  );
}
