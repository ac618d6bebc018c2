/** Sent by the window to the main process with a port on which to serve the contract. */
export const connectChannel = 'cooper:connect';
/** Sends the path of a dropped file, which the preload gets from the system. The reply is a `DropAnswer`. */
export const dropChannel = 'cooper:dropped-file';
/** Sent by the preload once the page listens to commands; those of before are sent then. */
export const listeningChannel = 'cooper:listening';
/** Sent by the preload when an edit command of the menu belongs to the text that has focus: its name, an `EditCommand`. */
export const editTextChannel = 'cooper:edit-text';
/** The command chosen in the menu, by its id: from the main process to the window. */
export const commandChannel = 'cooper:command';
