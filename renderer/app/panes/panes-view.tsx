import { useElementSize } from '@mantine/hooks';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderHandle } from '../../features/objects/index.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { leastPercent, type PaneId, type Tab } from '../places/navigation.ts';
import { PaneView, type PaneServices } from './pane-view.tsx';
import classes from './panes.module.css';

interface PanesViewProps {
  readonly tab: Tab;
  readonly isRestored: boolean;
  readonly editingPath: PaneId | null;
  /** Of the active pane. */
  readonly detailsOpen: boolean;
  readonly versionsShown: ReadonlySet<PaneId>;
  readonly handle: (pane: PaneId, handle: FolderHandle | null) => void;
  readonly services: PaneServices;
}

/** The content of the front tab: a place, or two side by side. */
export function PanesView({ tab, services, ...props }: PanesViewProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const [left] = tab.panes;
  const isPair = tab.panes.length === 2;
  const least = Math.round((width * leastPercent) / 100);
  return (
    <div
      ref={ref}
      id="tab-panel"
      role="tabpanel"
      aria-labelledby={`tab-${String(tab.id)}`}
      className={classes.panes}
      style={isPair ? { ['--left' as string]: `${String(tab.leftPercent)}%` } : undefined}
    >
      {tab.panes.map((pane) => {
        const isActive = pane.id === tab.activePane;
        return (
          <Fragment key={pane.id}>
            {isPair && pane !== left ? (
              <Splitter
                label={t('common.panes.resize')}
                valuePx={Math.round((width * tab.leftPercent) / 100)}
                minPx={least}
                maxPx={width - least}
                part="start"
                onResize={(px) => {
                  if (width > 0) services.dispatch({ kind: 'resize-panes', leftPercent: (px / width) * 100 });
                }}
              />
            ) : null}
            <PaneView
              pane={pane}
              side={isPair ? (pane === left ? 'left' : 'right') : 'alone'}
              isActive={isActive}
              isRestored={props.isRestored}
              isEditingPath={props.editingPath === pane.id}
              detailsOpen={isActive && props.detailsOpen}
              areVersionsShown={props.versionsShown.has(pane.id)}
              handle={props.handle}
              services={services}
            />
          </Fragment>
        );
      })}
    </div>
  );
}
