/**
 * Closes the open menu on Escape, wherever focus is. A menu itself handles the key only with focus, which it gets late, or never
 * if another element takes it. Use it once.
 */
export function closeMenusByEscape(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !event.isTrusted) return;
      const open = [...document.querySelectorAll<HTMLElement>('[role="menu"]')].filter((candidate) =>
        candidate.checkVisibility(),
      );
      const menu = open.at(-1);
      const { target } = event;
      if (
        menu === undefined ||
        (target instanceof Node && open.some((candidate) => candidate.contains(target)))
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    },
    { capture: true },
  );
}
