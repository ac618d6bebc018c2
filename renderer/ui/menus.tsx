import { Menu } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import type { LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { CommandId } from '../../shared/commands.ts';
import { keysOf } from './keyboard/commands.ts';
import { shortcutText } from './keyboard/shortcuts.ts';
import { useRestoredFocus } from './keyboard/keyboard-place.ts';

/** An entry in a menu. Each label occurs only once in a menu. */
export interface MenuEntry {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** The command whose keys are shown at the end of the entry. */
  readonly command?: CommandId;
  /** Deletes or aborts something. */
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Explains why the entry is disabled. */
  readonly title?: string | undefined;
  /** Left out in a wide window, where the toolbar has a button for the command. */
  readonly isNarrowOnly?: boolean;
  readonly run: () => void;
}

/** Returns an entry with an icon. */
export function menuEntry(
  label: string,
  icon: LucideIcon,
  run: () => void,
  more: Omit<MenuEntry, 'label' | 'icon' | 'run'> = {},
): MenuEntry {
  return { label, icon, run, ...more };
}

interface SubmenuEntry {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly entries: readonly MenuEntry[];
}

/** Entries between two dividers. An entry that does not apply is `false` and is not shown. */
export type MenuGroup = readonly (MenuEntry | SubmenuEntry | false)[];

/** The width up to which the toolbar leaves out some buttons (app/shell.module.css). */
const narrowToolbar = '(width <= 640px)';

/** Renders the entries of a menu, with a divider between groups that have entries. */
export function MenuEntries({ groups }: { readonly groups: readonly MenuGroup[] }) {
  // Entries for narrow windows are left out, not hidden with CSS: the arrow keys would stop at a hidden entry.
  const isNarrow = useMediaQuery(narrowToolbar, false, { getInitialValueInEffect: false });
  const filled = groups.map((group) =>
    group.filter((entry) => entry !== false).filter((entry) => isNarrow || !isNarrowOnly(entry)),
  );
  return filled
    .filter((group) => group.length > 0)
    .map((group, number) => (
      <Fragment key={group[0]?.label}>
        {number === 0 ? null : <Menu.Divider />}
        {group.map((entry) =>
          'run' in entry ? (
            <Entry key={entry.label} entry={entry} />
          ) : (
            <Menu.Sub key={entry.label}>
              <Menu.Sub.Target>
                <Menu.Sub.Item leftSection={<entry.icon size={15} aria-hidden />}>
                  {entry.label}
                </Menu.Sub.Item>
              </Menu.Sub.Target>
              <Menu.Sub.Dropdown aria-label={entry.label}>
                {entry.entries.map((item) => (
                  <Entry key={item.label} entry={item} />
                ))}
              </Menu.Sub.Dropdown>
            </Menu.Sub>
          ),
        )}
      </Fragment>
    ));
}

function isNarrowOnly(entry: MenuEntry | SubmenuEntry): boolean {
  return 'run' in entry && entry.isNarrowOnly === true;
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  const { label, icon: Icon, command, isDanger, isDisabled, title, run } = entry;
  const keys = command === undefined ? undefined : keysOf(command);
  return (
    <Menu.Item
      {...(isDanger === true ? { color: 'red' } : {})}
      disabled={isDisabled === true}
      title={title}
      leftSection={Icon === undefined ? undefined : <Icon size={15} aria-hidden />}
      rightSection={
        keys === undefined ? undefined : (
          <span style={{ color: 'var(--cooper-quiet)', fontSize: 12 }}>{shortcutText(keys)}</span>
        )
      }
      onClick={run}
    >
      {label}
    </Menu.Item>
  );
}

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
  useRestoredFocus();
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
