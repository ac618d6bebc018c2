import { createContext, use } from 'react';

/** True if the current pane receives the window's commands. */
export const ActivePane = createContext(true);

export function useIsActivePane(): boolean {
  return use(ActivePane);
}

/** The name of the pane around a component, or null if the tab has only one pane. */
export const PaneName = createContext<string | null>(null);

/** Returns the name for a landmark, which includes the pane's name if the tab has two panes. */
export function useNameInPane(name: string): string {
  const pane = use(PaneName);
  return pane === null ? name : `${name}, ${pane}`;
}

/**
 * The selector for the window's panes, in document order. Each is marked by `data-pane`, the main pane by `data-pane="main"`. F6
 * cycles through them, as in other desktop programs.
 */
const panes = '[data-pane]';
const widgets = ['grid', 'tree', 'listbox']
  .flatMap((role) => [`[role="${role}"][tabindex="0"]`, `[role="${role}"] [tabindex="0"]`])
  .join(', ');
const controls = [
  'button:not([disabled]):not([tabindex="-1"])',
  'a[href]',
  'input:not([disabled])',
  'select:not([disabled])',
  'textarea:not([disabled])',
  '[tabindex="0"]',
].join(', ');

export function isPane(element: Element): boolean {
  return element.matches(panes);
}

/** Moves focus to the next visible pane (1) or the previous pane (-1), wrapping around. */
export function focusNextPane(step: 1 | -1): void {
  const visiblePanes = [...document.querySelectorAll<HTMLElement>(panes)].filter((pane) =>
    pane.checkVisibility(),
  );
  if (visiblePanes.length === 0) return;
  const current = document.activeElement?.closest<HTMLElement>(panes) ?? null;
  const at = current === null ? -1 : visiblePanes.indexOf(current);
  for (let tried = 1; tried <= visiblePanes.length; tried += 1) {
    const start = at === -1 && step === -1 ? 0 : at;
    const pane = visiblePanes[(start + step * tried + visiblePanes.length * tried) % visiblePanes.length];
    if (pane !== undefined && focusPane(pane)) return;
  }
}

/** Moves focus into a pane that has become the main pane, or keeps focus on the pane until its content appears. */
export function followMainPane(): void {
  const main = document.querySelector<HTMLElement>('[data-pane="main"]');
  const current = document.activeElement?.closest(panes) ?? null;
  // Moves focus only from the other pane, or from the bars, which act on the main pane.
  const isOfMain =
    current?.matches('[data-pane="other"], [data-pane="toolbar"], [data-pane="tabs"]') === true;
  const isElsewhere = current !== null && current !== main && !isOfMain;
  if (main === null || current === main || isElsewhere) return;
  const list = main.querySelector<HTMLElement>(widgets);
  (list ?? main).focus({ preventScroll: true });
}

/** Moves focus to the window's main content. */
export function focusMainPane(): void {
  const main = document.querySelector<HTMLElement>('[data-pane="main"]');
  if (main !== null) focusPane(main);
}

/** Keeps focus in the main pane while its content is loading. */
export function holdMainPane(): void {
  document.querySelector<HTMLElement>('[data-pane="main"]')?.focus({ preventScroll: true });
}

/** Focuses the pane's list or tree, else its first control, else the pane itself if it is focusable. */
function focusPane(pane: HTMLElement): boolean {
  if (focusWithin(pane)) return true;
  pane.focus();
  return document.activeElement === pane;
}

/** Focuses the first list or tree in a pane, else its first control. Returns true if an element took focus. */
export function focusWithin(pane: HTMLElement): boolean {
  for (const selector of [widgets, controls])
    for (const found of pane.querySelectorAll<HTMLElement>(selector))
      if (found.closest(panes) === pane && found.checkVisibility({ visibilityProperty: true })) {
        found.focus();
        return document.activeElement === found;
      }
  return false;
}
