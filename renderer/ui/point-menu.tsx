import { Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { CommandId } from '../../shared/commands.ts';
import { keysOf } from './keyboard/commands.ts';
import { shortcutText } from './keyboard/shortcuts.ts';

/** Position in the window at which a menu was requested. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface PointMenuProps {
  /** null: closed. */
  readonly at: MenuPoint | null;
  readonly label?: string;
  readonly widthPx?: number;
  readonly offsetPx?: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu at the pointer, or under the focused row. */
export function PointMenu(props: PointMenuProps) {
  const { at, label, widthPx, offsetPx = 0, onClose, children } = props;
  // After a resize the point is at a different position.
  useWindowEvent('resize', () => {
    if (at !== null) onClose();
  });
  return (
    <Menu
      opened={at !== null}
      // Next to the point, so that a tall menu moves up instead of being cut off.
      position="right-start"
      offset={offsetPx}
      {...(widthPx === undefined ? {} : { width: widthPx })}
      // Not keydown: the key press that opened the menu would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      onChange={(opened) => {
        if (!opened) onClose();
      }}
    >
      <Menu.Target>
        <div
          aria-hidden
          style={{ position: 'fixed', left: at?.x ?? 0, top: at?.y ?? 0, width: 0, height: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** The keys of a menu entry, at its end. */
export function MenuKeys({ command }: { readonly command: CommandId }) {
  const keys = keysOf(command);
  return keys === undefined ? null : <KeysText keys={keys} />;
}

/** Formats keys for menus: `mod+L` as Ctrl+L. */
export function KeysText({ keys }: { readonly keys: string }) {
  return <span style={{ color: 'var(--cooper-quiet)', fontSize: 12 }}>{shortcutText(keys)}</span>;
}
