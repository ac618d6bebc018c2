import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStable } from '../use-stable.ts';
import { useDialogLevel } from './dialog-stack.ts';
import { giveKeyboardBack, placeInDialog } from '../keyboard/keyboard-place.ts';

/**
 * A dialog that is open while it is rendered. Mantine's own modal restores focus only if it saw itself being opened, which a
 * lazily loaded dialog does not.
 */
export function Dialog(props: Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeButtonProps'>) {
  const { t } = useTranslation();
  const [opener] = useState(placeInDialog);
  useEffect(() => () => giveKeyboardBack(opener), [opener]);
  const { isUppermost, isBuried } = useDialogLevel();
  // Mantine calls the Escape handler of an earlier render, which may not know yet of a change.
  const { onClose } = useStable({ onClose: props.onClose });
  return (
    <Modal
      {...props}
      onClose={onClose}
      opened
      closeOnEscape={isUppermost}
      {...(isBuried ? { styles: { root: { visibility: 'hidden' as const } } } : {})}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    />
  );
}
