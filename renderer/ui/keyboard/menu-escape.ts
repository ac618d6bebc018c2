/**
 * Escape closes the menu that is open, wherever the keyboard is: a menu hears it only while it has the keyboard itself, which it
 * gets a moment after it is seen, and not at all where something else takes it. Used once.
 */
export function closeMenusByEscape(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !event.isTrusted) return;
      const open = [...document.querySelectorAll<HTMLElement>('[role="menu"]')].filter((one) =>
        one.checkVisibility(),
      );
      const menu = open.at(-1);
      const { target } = event;
      if (menu === undefined || (target instanceof Node && open.some((one) => one.contains(target)))) return;
      event.preventDefault();
      event.stopPropagation();
      menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    },
    { capture: true },
  );
}
