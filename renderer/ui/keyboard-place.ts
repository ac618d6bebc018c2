const passing = '[role="menu"], [role="dialog"]';
let last: HTMLElement | null = null;

/** Remembers what had the keyboard last besides menus and dialogs, which only lead somewhere. */
export function watchKeyboard(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(passing) === null) last = target;
  });
}

/** What has the keyboard inside a dialog, where another one is opened from it. */
export function placeInDialog(): HTMLElement | null {
  const active = document.activeElement;
  return active instanceof HTMLElement && active.closest('[role="dialog"]') !== null ? active : null;
}

/** What had it is gone, and nothing has taken it since. */
export function isKeyboardNowhere(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body;
}

/** Once a dialog has gone: the keyboard goes back to where it was, unless it is somewhere already. */
export function giveKeyboardBack(opener: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (!isKeyboardNowhere()) return;
    const back = opener ?? last;
    if (back?.isConnected === true) back.focus({ preventScroll: true });
  });
}
