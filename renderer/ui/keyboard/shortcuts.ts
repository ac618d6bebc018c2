/** Returns true if the platform's main modifier is Cmd. */
export function usesCommandKey(platform: string = navigator.platform): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

export interface KeyPress {
  readonly key: string;
  /** The key's position on the keyboard, such as `KeyL`. */
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Returns true if Ctrl is pressed, or Cmd on a Mac. */
export function hasMainModifier(
  event: Pick<KeyPress, 'ctrlKey' | 'metaKey'>,
  mac = usesCommandKey(),
): boolean {
  return mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}

/** Returns true if the key press matches a shortcut such as `mod+l`, `alt+ArrowUp` or `F5`. `mod` is Ctrl or Cmd. */
export function isShortcut(event: KeyPress, shortcut: string, mac = usesCommandKey()): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const requires = (name: string): boolean => parts.slice(0, -1).includes(name);
  const main = requires('mod') ? hasMainModifier(event, mac) : !event.ctrlKey && !event.metaKey;
  // Ignores Shift for signs such as ?, which need it on some keyboard layouts only.
  const shift = event.shiftKey === requires('shift') || isSign(key);
  return main && event.altKey === requires('alt') && shift && isKey(event, key);
}

function isSign(key: string): boolean {
  return key.length === 1 && key.toLowerCase() === key.toUpperCase();
}

/**
 * Returns true if the event is for this key. Falls back to the key's position for keyboards with other alphabets (Cyrillic,
 * Greek) and for Option on a Mac.
 */
function isKey({ key, code }: KeyPress, shortcutKey: string): boolean {
  if (key.toLowerCase() === shortcutKey.toLowerCase() || (shortcutKey === 'Space' && key === ' '))
    return true;
  // Compares the key's position, since on many keyboards the backslash needs another key.
  if (shortcutKey === '\\') return code === 'Backslash';
  return key.length === 1 && key > '\u007F' && code === `Key${shortcutKey.toUpperCase()}`;
}

const arrows = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' } as const;

/** Returns the text that menus and tooltips show for a shortcut. */
export function shortcutText(shortcut: string, mac = usesCommandKey()): string {
  const names: Readonly<Record<string, string>> = mac
    ? { mod: '⌘', alt: '⌥', shift: '⇧', ...arrows }
    : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', ...arrows };
  const parts = shortcut
    .split('+')
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  return parts.join(mac ? '' : '+');
}

/** Returns true if typing goes into a field, so that plain keys are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))
  );
}
