import { ActionIcon, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import { useEffect, useRef, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { focusMainPane } from '../../ui/keyboard/panes.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { minDetailsPx, maxDetailsPx, type Details } from './use-details.ts';
import classes from './panes.module.css';

interface DetailsFrameProps {
  readonly details: Details;
  readonly isPair: boolean;
  /** The side of the window on which details overlay the content. It is the side of the inactive pane. */
  readonly end: 'start' | 'end';
  /** The maximum width of details that overlay the content. */
  readonly roomPx: number;
  /** The element into which the active pane renders its details. */
  readonly slot: Ref<HTMLDivElement>;
}

/**
 * Shows the details next to all lists or, in a narrow window, over the inactive pane. The active pane renders its details into
 * it. It stays empty on a page without details.
 */
export function DetailsFrame({ details, isPair, end, roomPx, slot }: DetailsFrameProps) {
  const { t } = useTranslation();
  const { isOver, widthPx } = details;
  const frame = useRef<HTMLDivElement>(null);
  const { close } = useStable({
    close: () => {
      details.setOpen(false);
      focusMainPane();
    },
  });
  useEffect(() => {
    const element = frame.current;
    if (!isOver || element === null) return undefined;
    // A native listener. The details are a portal, so their React events bubble to the page that renders them, not to this frame.
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    element.addEventListener('keydown', press);
    return () => {
      element.removeEventListener('keydown', press);
    };
  }, [isOver, close]);
  const content = (
    <>
      <div ref={slot} className={classes.detailsSlot} />
      {isPair ? <p className={classes.noDetails}>{t('common.panes.noDetails')}</p> : null}
    </>
  );
  if (!isOver)
    return (
      <div className={classes.details} data-pair={isPair || undefined}>
        <Splitter
          label={t('common.shell.resizeDetails')}
          valuePx={widthPx}
          minPx={minDetailsPx}
          maxPx={maxDetailsPx}
          part="end"
          onResize={details.resize}
        />
        <div className={classes.detailsBody} style={{ width: widthPx }}>
          {content}
        </div>
      </div>
    );
  return (
    <div ref={frame} className={classes.details} data-over={end} data-pair={isPair || undefined}>
      <div className={classes.detailsBody} style={{ width: Math.min(widthPx, roomPx) }}>
        <div className={classes.detailsHead}>
          <h2>{t('objects.details.label')}</h2>
          <Tooltip label={t('common.shell.hideDetails')}>
            <ActionIcon size="sm" aria-label={t('common.shell.hideDetails')} onClick={close}>
              <X size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
        {content}
      </div>
    </div>
  );
}
