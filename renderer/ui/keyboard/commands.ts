import { useInsertionEffect, useLayoutEffect, useRef } from 'react';
import {
  commandIds,
  factsOf,
  isWindowCommand,
  keysIn,
  type CommandId,
  type WindowCommand,
} from '../../../shared/commands.ts';
import { desktopBridgeName } from '../../../shared/desktop-bridge.ts';
import { useIsActivePane } from './panes.ts';
import { isShortcut, shortcutText, type KeyPress } from './shortcuts.ts';

type Host = 'desktop' | 'browser';

/** Returns the host that runs the window. */
export function windowHost(): Host {
  return Object.hasOwn(globalThis, desktopBridgeName) ? 'desktop' : 'browser';
}

/** Returns the keys that menus and tooltips show for a command, such as `mod+L`. */
export function keysOf(id: CommandId, host = windowHost()): string | undefined {
  return keysIn(host, id)[0];
}

/** Returns a label with the command's keys, such as “Back (Alt+←)”. */
export function withKeys(label: string, id: CommandId): string {
  const keys = keysOf(id);
  return keys === undefined ? label : `${label} (${shortcutText(keys)})`;
}

/** Returns true if the key press triggers this command. */
export function isCommand(event: KeyPress, id: CommandId): boolean {
  return factsOf(id).keys.some((keys) => isShortcut(event, keys));
}

/** Returns the command for a key press, or null. */
export function commandOf(event: KeyPress): CommandId | null {
  return commandIds.find((id) => isCommand(event, id)) ?? null;
}

/** Returns true if the window runs the command also while a text field has focus. Fields undo and redo their own edits. */
export function runsInFields(id: CommandId): boolean {
  return isWindowCommand(id) && factsOf(id).when !== 'list' && id !== 'undo' && id !== 'redo';
}

export type CommandRuns = Partial<Readonly<Record<WindowCommand, () => void>>>;

/** The command handlers of visible pages, which replace the window's handlers. The handler registered last wins. */
let pages: readonly { readonly current: CommandRuns }[] = [];

const nothing: CommandRuns = {};

/**
 * Registers a page's handlers for some commands while the page is rendered in the active pane. The handlers change with the
 * page, not some time after it, so that no key acts on the page or selection shown before.
 */
export function useCommandRuns(runs: CommandRuns): void {
  const isActive = useIsActivePane();
  const latest = useRef(runs);
  useInsertionEffect(() => {
    latest.current = isActive ? runs : nothing;
  });
  useLayoutEffect(() => {
    pages = [latest, ...pages];
    return () => {
      pages = pages.filter((page) => page !== latest);
    };
  }, []);
}

/** Returns the visible page's handler for a command, or null. */
export function pageRun(id: WindowCommand): (() => void) | null {
  for (const { current } of pages) {
    const run = current[id];
    if (run !== undefined) return run;
  }
  return null;
}
