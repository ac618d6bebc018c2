import { useEffect, useRef } from 'react';
import { isShortcut } from '../ui/shortcuts.ts';
import { focusNextPane } from '../ui/panes.ts';
import type { Commands } from './commands.ts';

/** Browsers keep Ctrl+T, Ctrl+W and Ctrl+Tab for themselves, so tabs have Alt as well. */
const shortcuts: readonly (readonly [shortcut: string, command: keyof Commands])[] = [
  ['alt+ArrowLeft', 'back'],
  ['alt+ArrowRight', 'forward'],
  ['alt+ArrowUp', 'up'],
  ['F5', 'reload'],
  ['mod+r', 'reload'],
  ['mod+l', 'editPath'],
  ['mod+f', 'focusFilter'],
  ['mod+shift+f', 'focusStartsWith'],
  ['mod+k', 'openPalette'],
  ['mod+b', 'toggleSidebar'],
  ['mod+i', 'toggleDetails'],
  ['mod+j', 'toggleLog'],
  ['mod+d', 'toggleBookmark'],
  ['alt+u', 'openUploads'],
  ['mod+shift+e', 'search'],
  ['mod+u', 'uploadFiles'],
  ['mod+s', 'download'],
  ['mod+shift+n', 'newFolder'],
  ['alt+shift+n', 'newFolder'],
  ['alt+Enter', 'properties'],
  ['alt+v', 'toggleVersions'],
  ['alt+j', 'toggleTransfers'],
  ['alt+n', 'newBucket'],
  ['alt+b', 'bucketSettings'],
  ['mod+,', 'openSettings'],
  ['mod+t', 'newTab'],
  ['alt+t', 'newTab'],
  ['mod+w', 'closeTab'],
  ['alt+w', 'closeTab'],
  ['mod+PageDown', 'nextTab'],
  ['mod+PageUp', 'previousTab'],
  ['alt+PageDown', 'nextTab'],
  ['alt+PageUp', 'previousTab'],
];

/** The window's shortcuts, and the mouse buttons for back and forward. A dialog keeps the keyboard to itself. */
export function useShortcuts(commands: Commands): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"]') !== null) return;
      if (isShortcut(event, 'F6') || isShortcut(event, 'shift+F6')) {
        event.preventDefault();
        focusNextPane(event.shiftKey ? -1 : 1);
        return;
      }
      const found = shortcuts.find(([shortcut]) => isShortcut(event, shortcut));
      if (found === undefined) return;
      event.preventDefault();
      latest.current[found[1]]();
    };
    const click = (event: MouseEvent): void => {
      if (event.button !== 3 && event.button !== 4) return;
      event.preventDefault();
      latest.current[event.button === 3 ? 'back' : 'forward']();
    };
    window.addEventListener('keydown', press);
    window.addEventListener('mouseup', click);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('mouseup', click);
    };
  }, []);
}
