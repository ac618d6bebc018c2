import { ActionIcon, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { focusMainPane } from '../../ui/keyboard/panes.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { leastDetailsPx, mostDetailsPx, type Details } from './use-details.ts';
import classes from './panes.module.css';

interface DetailsFrameProps {
  readonly details: Details;
  readonly isPair: boolean;
  /** Where they lie over something: the end of the window that the active pane is not at. */
  readonly end: 'start' | 'end';
  /** How wide they may be there. */
  readonly roomPx: number;
  /** The element that the active pane draws its details into. */
  readonly slot: Ref<HTMLDivElement>;
}

/**
 * The window's place for details: beside all lists, or, where there is no room, over the pane that is not active. A page without
 * details leaves it empty; then it is not there, unless the panes would change their width with the one that is active.
 */
export function DetailsFrame({ details, isPair, end, roomPx, slot }: DetailsFrameProps) {
  const { t } = useTranslation();
  const { isOver, widthPx } = details;
  const close = (): void => {
    details.setOpen(false);
    focusMainPane();
  };
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
          minPx={leastDetailsPx}
          maxPx={mostDetailsPx}
          part="end"
          onResize={details.resize}
        />
        <div className={classes.detailsBody} style={{ width: widthPx }}>
          {content}
        </div>
      </div>
    );
  return (
    // Escape is a short way to the button; what is inside it has the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.details}
      data-over={end}
      data-pair={isPair || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
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
