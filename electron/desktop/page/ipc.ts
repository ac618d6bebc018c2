import path from 'node:path';
import { ipcMain, type MessagePortMain } from 'electron';
import { z } from 'zod';
import type { Logger } from '../../core/ports.ts';
import type { DropResponse } from '../../../shared/drop-response.ts';
import { failure, toAppError } from '../../../shared/errors.ts';
import type { FileEntry } from '../../../shared/models/files.ts';
import { isEditCommand, connectChannel, dropChannel, editTextChannel, listeningChannel } from './channels.ts';
import { isTrustedSender } from './origin.ts';

/** The path of a dropped file, as the preload script sends it. */
const droppedPathSchema = z
  .string()
  .max(32_767)
  .refine((text) => path.isAbsolute(text) && !text.includes('\0'));

/**
 * Serves the core over ports that pages send. No other file uses ipcMain. Accepts only messages from the main frame of a program
 * window that shows the program's page.
 */
export function serveConnections(options: {
  readonly isProgramWindow: (contentsId: number) => boolean;
  readonly serve: (port: MessagePortMain) => void;
  readonly droppedFile: (filePath: string) => Promise<FileEntry>;
  /** Called once the page of these contents listens to menu commands. */
  readonly onListening: (contentsId: number) => void;
  readonly logger: Logger;
}): void {
  ipcMain.on(connectChannel, (event) => {
    const [port, ...surplus] = event.ports;
    for (const extra of surplus) extra.close();
    if (port === undefined) return;
    if (isTrustedSender(event, options.isProgramWindow)) {
      options.serve(port);
      port.start();
      return;
    }
    options.logger.warn('Refused a message port that the window did not request.');
    port.postMessage(failure('access-denied', "Only Cooper's own window may call the core.").error);
    port.close();
  });
  ipcMain.on(listeningChannel, (event) => {
    if (isTrustedSender(event, options.isProgramWindow)) options.onListening(event.sender.id);
  });
  ipcMain.on(editTextChannel, (event, command: unknown) => {
    if (isTrustedSender(event, options.isProgramWindow) && isEditCommand(command)) event.sender[command]();
  });
  ipcMain.handle(dropChannel, async (event, droppedPath: unknown): Promise<DropResponse> => {
    if (!isTrustedSender(event, options.isProgramWindow)) {
      options.logger.warn('Refused a dropped file that did not come from the window.');
      return refused(failure('access-denied', "Only Cooper's own window may pass dropped files."));
    }
    if (droppedPath === '') return { kind: 'no-path' };
    const parsedPath = droppedPathSchema.safeParse(droppedPath);
    if (!parsedPath.success)
      return refused(
        failure('invalid-argument', 'The dropped item is not a file on this computer.', {
          reason: 'drop-not-a-file',
          retry: 'after-fix',
        }),
      );
    try {
      return { kind: 'file', file: await options.droppedFile(parsedPath.data) };
    } catch (thrown) {
      return refused(thrown);
    }
  });
}

function refused(thrown: unknown): DropResponse {
  return { kind: 'refused', error: toAppError(thrown) };
}
