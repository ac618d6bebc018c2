import { EventEmitter } from 'node:events';
import type { MessagePort as NodePort } from 'node:worker_threads';

/** Electron's port in the main process, built on one of Node's. */
export class MessagePortMain extends EventEmitter {
  readonly #port: NodePort;
  closed = false;
  constructor(port: NodePort) {
    super();
    this.#port = port;
    port.on('close', () => this.emit('close'));
  }
  start(): void {
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }
  postMessage(data: unknown): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.#port.postMessage(data);
  }
  close(): void {
    this.closed = true;
    this.#port.close();
  }
}

class IpcMain extends EventEmitter {
  readonly invokable = new Map<string, (event: unknown, ...args: unknown[]) => Promise<unknown>>();
  handle(channel: string, response: (event: unknown, ...args: unknown[]) => Promise<unknown>): void {
    this.invokable.set(channel, response);
  }
}
export const ipcMain = new IpcMain();
