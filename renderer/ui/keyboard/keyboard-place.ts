import { useEffect, useState } from 'react';
import { focusMainPane, isPane } from './panes.ts';

const passing = '[role="menu"], [role="dialog"]';
let last: HTMLElement | null = null;

/**
 * Remembers the element that last had focus outside menus and dialogs. When a dialog opens, focuses its marked or first field
 * instead of the close button.
 */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target.closest(passing) === null) last = target;
    const dialog = target.closest<HTMLElement>('[role="dialog"]');
    if (dialog === null || !target.matches(closeButton)) return;
    const isFromInside = relatedTarget instanceof Node && dialog.contains(relatedTarget);
    if (!isFromInside) focusFirstField(dialog, target);
  });
}

const closeButton = '.mantine-Modal-close';
const fields = ['input:not([type="hidden"])', 'select', 'textarea']
  .map((name) => `${name}:not([disabled])`)
  .join(', ');
const controls = `${fields}, button:not([disabled]), [tabindex="0"]`;

/**
 * Focuses the dialog's first field as soon as it exists, unless the user has already moved focus. Focuses again if the focused
 * element is removed, for example when a dialog has loaded its content.
 */
function focusFirstField(dialog: HTMLElement, close: HTMLElement): void {
  let hasBegun = false;
  const observer = new MutationObserver(tryToBegin);
  function tryToBegin(): void {
    if (!dialog.isConnected) {
      observer.disconnect();
      return;
    }
    const body = dialog.querySelector<HTMLElement>('.mantine-Modal-body');
    const active = document.activeElement;
    const isWaiting = hasBegun ? hasNoFocusedElement() : active === close || active === body;
    if (!isWaiting) {
      hasBegun = true;
      return;
    }
    if (body === null) return;
    const first = firstIn(body);
    hasBegun = first !== null;
    // While the dialog loads, its body has focus, so that Return does nothing.
    if (first === null) body.tabIndex = -1;
    body.toggleAttribute('data-autofocus', first === null);
    // Marks the element for the dialog's focus trap, which moves focus once more.
    first?.toggleAttribute('data-autofocus', true);
    // Prevents scrolling, since focusing a body taller than the window would scroll it to its middle.
    (first ?? body).focus({ preventScroll: first === null });
  }
  observer.observe(dialog, { childList: true, subtree: true });
  tryToBegin();
}

function firstIn(body: Element): HTMLElement | null {
  return (
    firstVisible(body, '[data-autofocus]:not([disabled])') ??
    firstVisible(body, fields) ??
    firstVisible(body, controls)
  );
}

function firstVisible(within: Element, selector: string): HTMLElement | null {
  for (const found of within.querySelectorAll<HTMLElement>(selector))
    if (found.checkVisibility({ visibilityProperty: true })) return found;
  return null;
}

/**
 * Returns true if no element has focus, for example because it was removed. A focused pane also counts, since a pane has focus
 * only until its content appears.
 */
export function hasNoFocusedElement(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || isPane(active);
}

/** Returns true if the user has moved focus from an element to another one, which keeps it. */
export function hasKeyboardLeft(element: Element | null): boolean {
  return document.activeElement !== element && !hasNoFocusedElement();
}

/** Returns true if a list that appears may take focus. No element has focus, and no dialog or menu is about to get it. */
export function mayTakeFocus(list: Element): boolean {
  return (
    hasNoFocusedElement() &&
    [...document.querySelectorAll(passing)].every((element) => element.contains(list))
  );
}

/**
 * Restores focus when a menu or dialog unmounts, to the element that had it when the menu or dialog mounted. Mantine does so only
 * for a menu or dialog that was mounted before it opened.
 */
export function useRestoredFocus(): void {
  const [opener] = useState(() => {
    const active = document.activeElement;
    return active instanceof HTMLElement && !hasNoFocusedElement() ? active : null;
  });
  useEffect(() => () => restoreFocus(opener), [opener]);
}

/**
 * Restores focus after a dialog has closed, unless another element has focus. If the element that opened the dialog is gone, such
 * as the palette or a row, focuses the window's main pane.
 */
export function restoreFocus(opener: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (!hasNoFocusedElement()) return;
    const back =
      [opener, last].find((element) => element?.isConnected === true && !isDisabled(element)) ?? null;
    if (back === null) {
      focusMainPane();
      return;
    }
    back.focus({ preventScroll: true });
    leaveDisabledButton(back);
  });
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled');
}

/** Moves focus to the main pane if a button's own action disables the button, since the browser would drop the focus. */
function leaveDisabledButton(button: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (!isDisabled(button)) return;
    observer.disconnect();
    focusMainPane();
  });
  observer.observe(button, { attributes: true, attributeFilter: ['disabled'] });
  button.addEventListener('blur', () => observer.disconnect(), { once: true });
}

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
