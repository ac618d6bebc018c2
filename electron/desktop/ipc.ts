import { ipcMain, type IpcMainEvent, type MessagePortMain } from 'electron';
import type { Logger } from '../core/ports.ts';
import { failure } from '../../shared/errors.ts';
import { connectChannel } from './channels.ts';
import { isOwnAddress } from './origin.ts';

/**
 * The only file that touches ipcMain. A port to the core is given to the main frame of the program's own window, on its
 * own page, and to nobody else.
 */
export function serveConnections(options: {
  readonly isOwnWindow: (contentsId: number) => boolean;
  readonly serve: (port: MessagePortMain) => void;
  readonly logger: Logger;
}): void {
  ipcMain.on(connectChannel, (event) => {
    const [port, ...surplus] = event.ports;
    for (const extra of surplus) extra.close();
    if (port === undefined) return;
    if (isTrusted(event, options.isOwnWindow)) {
      options.serve(port);
      port.start();
      return;
    }
    options.logger.warn('A port was refused: it was not asked for by the window.');
    port.postMessage(failure('access-denied', 'Only the window of Cooper may speak to the core.').error);
    port.close();
  });
}

function isTrusted(event: IpcMainEvent, isOwnWindow: (contentsId: number) => boolean): boolean {
  const frame = event.senderFrame;
  // null: the frame navigated away or is gone.
  if (frame === null || frame !== event.sender.mainFrame) return false;
  return isOwnWindow(event.sender.id) && isOwnAddress(frame.url);
}
