/** The commands of the Edit menu that Chromium applies to text. The window has commands with the same names for objects. */
export const editCommands = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const;
export type EditCommand = (typeof editCommands)[number];

export function isEditCommand(name: unknown): name is EditCommand {
  return typeof name === 'string' && editCommands.some((command) => command === name);
}

interface Page {
  readonly activeElement: { matches(selectors: string): boolean } | null;
  getSelection(): { readonly isCollapsed: boolean } | null;
}

const textFields =
  'textarea, input:not([type]), input:is([type=text], [type=search], [type=url], [type=email], [type=tel], [type=number], [type=password]), [contenteditable]:not([contenteditable=false])';

/** Returns true if an edit command should apply to text: a text field has focus, or text to copy is selected. */
export function isAboutText(command: EditCommand, page: Page): boolean {
  if (page.activeElement?.matches(textFields) === true) return true;
  return command === 'copy' && page.getSelection()?.isCollapsed === false;
}
