import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStable } from '../use-stable.ts';
import { useDialogLevel } from './dialog-stack.ts';
import { restoreFocus, focusedInDialog } from '../keyboard/keyboard-place.ts';

/**
 * A dialog that is open while rendered. Restores focus itself, since Mantine's modal does so only if mounted before it opened. A
 * lazily loaded dialog is not.
 */
export function Dialog(props: Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeButtonProps'>) {
  const { t } = useTranslation();
  const [opener] = useState(focusedInDialog);
  useEffect(() => () => restoreFocus(opener), [opener]);
  const { isUppermost, isBuried } = useDialogLevel();
  // Mantine may call the Escape handler of an earlier render. This stable function therefore calls the current handler.
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
