/** The one message the window sends to the main process, with a port: "serve the contract on this". */
export const connectChannel = 'cooper:connect';
