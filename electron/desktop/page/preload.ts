import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { desktopBridgeName, portMessage, type DesktopBridge } from '../../../shared/desktop-bridge.ts';
import {
  commandChannel,
  connectChannel,
  dropChannel,
  editTextChannel,
  listeningChannel,
} from './channels.ts';
import { isAboutText, isEditCommand } from './edit-text.ts';

/** The API of the page. The port arrives as a message, since a bridge cannot transfer one. Only the main process gets paths. */
const bridge: DesktopBridge = {
  connect: () => {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(connectChannel, null, [port1]);
    window.postMessage(portMessage, window.location.origin, [port2]);
  },
  onCommand: (listener) => {
    ipcRenderer.on(commandChannel, (_event, command: unknown) => {
      // Pages may not paste; the main process does it for the user's choice in the menu.
      if (isEditCommand(command) && isAboutText(command, document))
        ipcRenderer.send(editTextChannel, command);
      else if (typeof command === 'string') listener(command);
    });
    ipcRenderer.send(listeningChannel);
  },
  droppedFile: async (file) => await ipcRenderer.invoke(dropChannel, pathOf(file)),
};

/** Returns the path of a file that the user dropped or chose; '' for a file that is none of the disk; null: not a file at all. */
function pathOf(file: unknown): string | null {
  try {
    return webUtils.getPathForFile(file as File);
  } catch {
    return null;
  }
}

contextBridge.exposeInMainWorld(desktopBridgeName, bridge);
