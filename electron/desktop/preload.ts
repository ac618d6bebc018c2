import { contextBridge, ipcRenderer } from 'electron';
import { desktopBridgeName, portMessage, type DesktopBridge } from '../../shared/desktop-bridge.ts';
import { connectChannel } from './channels.ts';

/** All that the page gets: a function without arguments. The port itself comes as a message, since a bridge cannot carry one. */
const bridge: DesktopBridge = {
  connect: () => {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(connectChannel, null, [port1]);
    window.postMessage(portMessage, window.location.origin, [port2]);
  },
};

contextBridge.exposeInMainWorld(desktopBridgeName, bridge);
