import { Button, Modal, type ModalProps, Text } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useStable } from '../use-stable.ts';
import { useRestoredFocus } from '../keyboard/keyboard-place.ts';
import common from '../common.module.css';
import { useDialogLevel } from './dialog-stack.ts';

/** A dialog that is open while rendered. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'closeOnEscape' | 'closeButtonProps'>) {
  const { t } = useTranslation();
  useRestoredFocus();
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

interface DialogFooterProps {
  readonly onCancel?: (() => void) | undefined;
  /** The text of the button that cancels, if it is not "Cancel". */
  readonly cancel?: string;
  /** True if the dialog opens with the focus on the button that cancels. */
  readonly startsOnCancel?: boolean;
  readonly children?: ReactNode;
}

/** The buttons at the end of a dialog. */
export function DialogFooter({ onCancel, cancel, startsOnCancel = false, children }: DialogFooterProps) {
  const { t } = useTranslation();
  return (
    <div className={common.footer}>
      {onCancel === undefined ? null : (
        <Button variant="default" onClick={onCancel} data-autofocus={startsOnCancel || undefined}>
          {cancel ?? t('common.cancel')}
        </Button>
      )}
      {children}
    </div>
  );
}

const noticeIcons = { quiet: Info, ok: CircleCheck, warning: TriangleAlert, danger: TriangleAlert } as const;

interface NoticeProps extends Pick<ComponentProps<'div'>, 'ref' | 'role' | 'tabIndex'> {
  readonly tone: keyof typeof noticeIcons;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A note among other content. */
export function Notice({ tone, title, children, ...rest }: NoticeProps) {
  const Icon = noticeIcons[tone];
  return (
    <div className={common.callout} data-tone={tone} {...rest}>
      <Icon size={16} aria-hidden />
      <div>
        {title === undefined ? null : (
          <Text inherit mb={4} fw={600}>
            {title}
          </Text>
        )}
        {children}
      </div>
    </div>
  );
}

type WarningProps = Pick<NoticeProps, 'title' | 'children'>;

/** A note to read before continuing. */
export function Warning(props: WarningProps) {
  return <Notice tone="warning" {...props} />;
}

/** A warning that appears in an open dialog and may change the user's decision, so it takes focus and scrolls into view. */
export function LiveWarning(props: WarningProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return <Notice tone="warning" role="alert" tabIndex={-1} ref={ref} {...props} />;
}
