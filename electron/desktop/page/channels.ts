/** Sent by the window to the main process, with a port on which to serve the contract. */
export const connectChannel = 'cooper:connect';
/** Sends the path of a dropped file, which the preload script gets from the system. The reply is a `DropResponse`. */
export const dropChannel = 'cooper:dropped-file';
/** Sent by the preload script once the page listens to commands. The main process then sends the commands that it held. */
export const listeningChannel = 'cooper:listening';
/** Sent by the preload script, with an `EditCommand`, when an edit command of the menu applies to focused or selected text. */
export const editTextChannel = 'cooper:edit-text';
/** Sent by the main process to the window with the id of the command chosen in the menu. */
export const commandChannel = 'cooper:command';

/** The commands of the Edit menu that Chromium applies to text. The window has commands with the same names for objects. */
export const editCommands = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const;
type EditCommand = (typeof editCommands)[number];

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
