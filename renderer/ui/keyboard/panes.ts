/**
 * The panes of the window, in the order of the document. Each is marked by `data-pane`, and the main one by
 * `data-pane="main"`; F6 goes round them, as in other desktop programs.
 */
const panes = '[data-pane]';
const widgets = ['grid', 'tree', 'listbox']
  .flatMap((role) => [`[role="${role}"][tabindex="0"]`, `[role="${role}"] [tabindex="0"]`])
  .join(', ');
const controls = [
  'button:not([disabled])',
  'a[href]',
  'input:not([disabled])',
  'select:not([disabled])',
  'textarea:not([disabled])',
  '[tabindex="0"]',
].join(', ');

export function isPane(element: Element): boolean {
  return element.matches(panes);
}

/** Takes the keyboard to the next pane that is seen (1) or the one before (-1), and round at the ends. */
export function focusNextPane(step: 1 | -1): void {
  const seen = [...document.querySelectorAll<HTMLElement>(panes)].filter((pane) => pane.checkVisibility());
  if (seen.length === 0) return;
  const current = document.activeElement?.closest<HTMLElement>(panes) ?? null;
  const at = current === null ? -1 : seen.indexOf(current);
  for (let tried = 1; tried <= seen.length; tried += 1) {
    const start = at === -1 && step === -1 ? 0 : at;
    const pane = seen[(start + step * tried + seen.length * tried) % seen.length];
    if (pane !== undefined && focusPane(pane)) return;
  }
}

/** The keyboard goes along where another pane has become the main one, or waits there for what it will show. */
export function followMainPane(): void {
  const main = document.querySelector<HTMLElement>('[data-pane="main"]');
  const current = document.activeElement?.closest(panes) ?? null;
  const isElsewhere = current !== null && current !== main && !current.matches('[data-pane="other"]');
  if (main === null || current === main || isElsewhere) return;
  const list = main.querySelector<HTMLElement>(widgets);
  (list ?? main).focus({ preventScroll: true });
}

/** Takes the keyboard to what the window is about. */
export function focusMainPane(): void {
  const main = document.querySelector<HTMLElement>('[data-pane="main"]');
  if (main !== null) focusPane(main);
}

/** Keeps the keyboard in the main pane while what it will show is on its way. */
export function holdMainPane(): void {
  document.querySelector<HTMLElement>('[data-pane="main"]')?.focus({ preventScroll: true });
}

/** To the pane's list or tree, else to its first control, else to the pane itself where it can have the keyboard. */
function focusPane(pane: HTMLElement): boolean {
  for (const selector of [widgets, controls])
    for (const found of pane.querySelectorAll<HTMLElement>(selector))
      if (found.closest(panes) === pane && found.checkVisibility({ visibilityProperty: true })) {
        found.focus();
        return document.activeElement === found;
      }
  pane.focus();
  return document.activeElement === pane;
}
