/** Sent by the window to the main process with a port on which to serve the contract. */
export const connectChannel = 'cooper:connect';
/** Sends the path of a dropped file, which the preload gets from the system. The reply is a `DropAnswer`. */
export const dropChannel = 'cooper:dropped-file';
/** The command chosen in the menu, by its id: from the main process to the window. */
export const commandChannel = 'cooper:command';
