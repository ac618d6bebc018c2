import { Menu, Portal } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import common from '../common.module.css';
import type { ColumnChoice } from './columns.ts';
import { PointMenu, type MenuPoint } from '../menus.tsx';
import { popupsId } from '../theme/theme.ts';
import classes from './table.module.css';

export interface ColumnChooser {
  readonly choices: readonly ColumnChoice[];
  readonly toggle: (id: string) => void;
  readonly reset: () => void;
}

interface ChooserHeadingProps {
  readonly chooser: ColumnChooser;
  /** Position of the open menu, or null while it is closed. */
  readonly at: MenuPoint | null;
  readonly onAt: (at: MenuPoint | null) => void;
  /** More entries, above the columns. */
  readonly children?: ReactNode;
}

/** The end of a table's header: a button with the columns menu. A right click on the header also opens the menu. */
export function ChooserHeading({ chooser, at, onAt, children }: ChooserHeadingProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const label = t('common.columns.choose');
  return (
    <div role="columnheader" aria-label={label} className={classes.chooser}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        title={label}
        className={classes.chooserButton}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onAt({ x: box.left, y: box.bottom });
        }}
      >
        <Columns3 size={14} aria-hidden />
      </button>
      {at === null ? null : (
        // Rendered outside the table, which would clip the menu.
        <Portal target={`#${popupsId}`}>
          <PointMenu
            at={at}
            label={label}
            widthPx={240}
            onClose={() => {
              onAt(null);
              button.current?.focus();
            }}
          >
            {children}
            <Menu.Label>{label}</Menu.Label>
            {chooser.choices.map(({ id, label: name, isFixed, isChosen, hasRoom }) => (
              <Menu.CheckboxItem
                key={id}
                checked={isChosen}
                disabled={isFixed}
                onChange={() => chooser.toggle(id)}
                rightSection={
                  isChosen && !hasRoom ? (
                    <span className={common.hint}>{t('common.columns.noRoom')}</span>
                  ) : undefined
                }
              >
                {name}
              </Menu.CheckboxItem>
            ))}
            <Menu.Divider />
            <Menu.Item onClick={chooser.reset}>{t('common.columns.reset')}</Menu.Item>
          </PointMenu>
        </Portal>
      )}
    </div>
  );
}
