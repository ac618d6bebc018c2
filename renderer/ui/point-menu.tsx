import { Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState, type ReactNode } from 'react';
import { restoreFocus } from './keyboard/keyboard-place.ts';

/** Position in the window at which a menu was requested. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface PointMenuProps {
  /** Null while closed. */
  readonly at: MenuPoint | null;
  readonly label?: string;
  readonly widthPx?: number;
  readonly offsetPx?: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu at the pointer, or under the focused row. */
export function PointMenu({ at, ...props }: PointMenuProps) {
  return at === null ? null : <OpenPointMenu at={at} {...props} />;
}

/** The open menu. It is mounted only while open, since even a closed Mantine menu delays the rendering of rows. */
function OpenPointMenu(props: PointMenuProps & { readonly at: MenuPoint }) {
  const { at, label, widthPx, offsetPx = 0, onClose, children } = props;
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      restoreFocus(before instanceof HTMLElement ? before : null);
    },
    [before],
  );
  // Closes on a resize, which moves the content under the menu.
  useWindowEvent('resize', onClose);
  return (
    <Menu
      opened
      returnFocus={false}
      // Opens next to the point, so that a tall menu moves up instead of being cut off.
      position="right-start"
      offset={offsetPx}
      {...(widthPx === undefined ? {} : { width: widthPx })}
      onChange={(opened) => {
        if (!opened) onClose();
      }}
    >
      <Menu.Target>
        <div aria-hidden style={{ position: 'fixed', left: at.x, top: at.y, width: 0, height: 0 }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
