import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { desktopBridgeName, portMessage, type DesktopBridge } from '../../../shared/desktop-bridge.ts';
import {
  isAboutText,
  isEditCommand,
  commandChannel,
  connectChannel,
  dropChannel,
  editTextChannel,
  listeningChannel,
} from './channels.ts';

/** The API for the page. Passes the port in a message, because a bridge cannot transfer one. The page never gets file paths. */
const bridge: DesktopBridge = {
  connect: () => {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(connectChannel, null, [port1]);
    window.postMessage(portMessage, window.location.origin, [port2]);
  },
  onCommand: (listener) => {
    ipcRenderer.on(commandChannel, (_event, command: unknown) => {
      // The main process runs the command, because a page may not paste.
      if (isEditCommand(command) && isAboutText(command, document))
        ipcRenderer.send(editTextChannel, command);
      else if (typeof command === 'string') listener(command);
    });
    ipcRenderer.send(listeningChannel);
  },
  droppedFile: async (file) => await ipcRenderer.invoke(dropChannel, pathOf(file)),
};

/** Returns the path of a file that the user dropped or chose; '' if it is not on disk; null if it is not a file. */
function pathOf(file: unknown): string | null {
  try {
    return webUtils.getPathForFile(file as File);
  } catch {
    return null;
  }
}

contextBridge.exposeInMainWorld(desktopBridgeName, bridge);
