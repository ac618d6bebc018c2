import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import common from '../common.module.css';

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
    <div
      className={common.discardFooter}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
    >
      <div className={common.discardQuestion}>
        <strong id={`${id}-title`}>{t('common.discard.title')}</strong>
        <span id={`${id}-body`}>{t('common.discard.body')}</span>
      </div>
      <Button variant="default" ref={stay} onClick={onStay}>
        {t('common.discard.cancel')}
      </Button>
      <Button color="red" onClick={onDiscard}>
        {t('common.discard.confirm')}
      </Button>
    </div>
  );
}
