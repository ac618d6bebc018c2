const names: Readonly<Record<string, string>> = {
  mod: 'CmdOrCtrl',
  alt: 'Alt',
  shift: 'Shift',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
};

/** Keys of a command, `mod+shift+N`, as Electron writes them: `CmdOrCtrl+Shift+N`. */
export function acceleratorOf(keys: string): string {
  return keys
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}
