import { useEffect, useRef } from 'react';
import { desktopBridge } from '../rpc/message-port.ts';
import type { Commands } from './commands.ts';

/** What stands open as a dialog keeps the menu from changing the window below it, as it keeps the keyboard. */
export function isCommand(name: string, commands: Commands): name is keyof Commands {
  return Object.hasOwn(commands, name);
}

/** Does what is chosen in the menu of the desktop's window. */
export function useMenuCommands(commands: Commands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    desktopBridge()?.onCommand((name) => {
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (isCommand(name, latest.current)) latest.current[name]();
    });
  }, []);
}
