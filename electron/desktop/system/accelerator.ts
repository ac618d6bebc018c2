const names: Readonly<Record<string, string>> = {
  mod: 'CmdOrCtrl',
  alt: 'Alt',
  shift: 'Shift',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
};

/** Converts a command's keys (`mod+shift+N`) to an Electron accelerator (`CmdOrCtrl+Shift+N`). */
export function acceleratorOf(keys: string): string {
  return keys
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}
