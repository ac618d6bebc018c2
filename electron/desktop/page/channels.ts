/** The one message the window sends to the main process, with a port: "serve the contract on this". */
export const connectChannel = 'cooper:connect';
/** A file was dropped on the window: its path, asked of the system by the preload. The answer is a `DropAnswer`. */
export const dropChannel = 'cooper:dropped-file';
/** The command chosen in the menu, by its id: from the main process to the window. */
export const commandChannel = 'cooper:command';
