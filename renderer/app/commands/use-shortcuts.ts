import { useEffect, useRef } from 'react';
import { factsOf, isWindowCommand, type WindowCommand } from '../../../shared/commands.ts';
import { desktopBridge } from '../../rpc/message-port.ts';
import { commandOf, pageRun } from '../../ui/keyboard/commands.ts';
import { isTyping } from '../../ui/keyboard/shortcuts.ts';
import type { Commands } from './window-commands.ts';

/**
 * The one place that turns keys, the mouse buttons for back and forward, and what is chosen in the desktop's menu into
 * commands. A dialog keeps all of them to itself. The keys of a list are heard by the list, unless a page does them for all of it.
 */
export function useShortcuts(commands: Commands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const run = (id: WindowCommand): void => {
      (pageRun(id) ?? latest.current[id])();
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isDialogOpen()) return;
      const id = commandOf(event);
      if (id === null || !isWindowCommand(id)) return;
      const isListOnly = factsOf(id).when === 'list';
      if (isListOnly && (pageRun(id) === null || isTyping(event.target))) return;
      if ((isPlain(event) || isOfFields(id)) && isTyping(event.target)) return;
      event.preventDefault();
      run(id);
    };
    const click = (event: MouseEvent): void => {
      if (event.button !== 3 && event.button !== 4) return;
      event.preventDefault();
      run(event.button === 3 ? 'back' : 'forward');
    };
    window.addEventListener('keydown', press);
    window.addEventListener('mouseup', click);
    desktopBridge()?.onCommand((name) => {
      if (!isDialogOpen() && isWindowCommand(name)) run(name);
    });
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('mouseup', click);
    };
  }, []);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Returns true for commands that a text field handles natively: undo and redo. */
function isOfFields(id: WindowCommand): boolean {
  return id === 'undo' || id === 'redo';
}

/** A sign that a field takes as text. */
function isPlain(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}
