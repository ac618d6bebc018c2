/** Sent by the window to the main process, with a port on which to serve the contract. */
export const connectChannel = 'cooper:connect';
/** Sends the path of a dropped file, which the preload script gets from the system. The reply is a `DropAnswer`. */
export const dropChannel = 'cooper:dropped-file';
/** Sent by the preload script once the page listens to commands. The main process then sends the commands that it held. */
export const listeningChannel = 'cooper:listening';
/** Sent by the preload script, with an `EditCommand`, when an edit command of the menu applies to focused or selected text. */
export const editTextChannel = 'cooper:edit-text';
/** Sent by the main process to the window with the id of the command chosen in the menu. */
export const commandChannel = 'cooper:command';
