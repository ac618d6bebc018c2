import { useEffect } from 'react';
import { factsOf, isWindowCommand, type WindowCommand } from '../../../shared/commands.ts';
import { desktopBridge } from '../../rpc/message-port.ts';
import { commandOf, pageRun, runsInFields } from '../../ui/keyboard/commands.ts';
import { isTyping } from '../../ui/keyboard/shortcuts.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { Commands } from './define-command.ts';

/**
 * Maps keys, the mouse buttons for back and forward, and the desktop's menu to commands. An open dialog disables all three.
 * A list handles its own shortcuts, unless the page has registered a handler for them.
 */
export function useShortcuts(commands: Commands): void {
  const latest = useStable(commands);
  useEffect(() => {
    const run = (id: WindowCommand): void => {
      latest[id]();
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isDialogOpen()) return;
      const id = commandOf(event);
      if (id === null || !isWindowCommand(id)) return;
      if (factsOf(id).when === 'list' && pageRun(id) === null) return;
      if (isTyping(event.target) && (isPlain(event) || !runsInFields(id))) return;
      event.preventDefault();
      run(id);
    };
    const click = (event: MouseEvent): void => {
      if (event.button !== 3 && event.button !== 4) return;
      // Otherwise, the browser would also go back or forward.
      event.preventDefault();
      if (isDialogOpen()) return;
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
  }, [latest]);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Returns true for a key that types a character into a field. */
function isPlain(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}
