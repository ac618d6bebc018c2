/**
 * Closes the open menu on Escape, wherever the focus is. A menu handles the key only while it has focus, which it gets a moment
 * after it appears, or never if another element takes it. Use it once.
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
