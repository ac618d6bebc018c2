import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { app } from './app.ts';
import { keep, note, preventable, setup } from './record.ts';

/** A file that a page saves. Its bytes reach the disk unless the program refuses or cancels the download. */
export class DownloadItem extends EventEmitter {
  #savePath = '';
  #state: 'progressing' | 'completed' | 'cancelled' = 'progressing';
  readonly #url: string;
  readonly #name: string;
  constructor(url: string, name: string) {
    super();
    this.#url = url;
    this.#name = name;
  }
  getURL(): string {
    return this.#url;
  }
  getFilename(): string {
    return this.#name;
  }
  setSavePath(file: string): void {
    this.#savePath = file;
  }
  getSavePath(): string {
    return this.#savePath;
  }
  cancel(): void {
    this.#state = 'cancelled';
  }
  getState(): string {
    return this.#state;
  }
  /**
   * Writes the file, unless the download was cancelled. `asked` is the path from the system's dialog, if the program set none.
   */
  finish(bytes: Uint8Array, asked: string): void {
    if (this.#state === 'cancelled') return;
    if (this.#savePath === '') this.#savePath = asked;
    writeFileSync(this.#savePath, bytes);
    this.#state = 'completed';
    this.emit('done', {}, this.#state);
  }
}

export class Session extends EventEmitter {
  readonly protocol = { handle: keep('session.protocol.handle') };
  readonly webRequest = { onBeforeRequest: keep('session.webRequest.onBeforeRequest') };
  readonly setPermissionRequestHandler = keep('session.setPermissionRequestHandler');
  readonly setPermissionCheckHandler = keep('session.setPermissionCheckHandler');
  readonly setDevicePermissionHandler = keep('session.setDevicePermissionHandler');
  setSpellCheckerEnabled(on: boolean): void {
    note('session.setSpellCheckerEnabled', on);
  }
  resolveProxy(url: string): Promise<string> {
    note('session.resolveProxy', url);
    return Promise.resolve(setup.proxy ?? 'DIRECT');
  }
  /** Simulates a click on a link with `download`. Returns the item, which is cancelled if the program prevents the event. */
  download(contents: unknown, url: string, name: string, bytes: Uint8Array, asked: string): DownloadItem {
    const item = new DownloadItem(url, name);
    const event = preventable();
    this.emit('will-download', event, item, contents);
    if (event.prevented) item.cancel();
    item.finish(bytes, asked);
    return item;
  }
}

export const session = { defaultSession: new Session(), fromPartition: (name: string): object => ({ name }) };

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown): void => {
    note('protocol.registerSchemesAsPrivileged', schemes);
  },
};

interface NetRequestOptions {
  readonly protocol?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Implements Electron's requests with Node's. A redirect is emitted as an event, as with `redirect: 'manual'`. */
export const net = {
  request: (options: NetRequestOptions): EventEmitter => {
    const request = http.request({
      protocol: options.protocol ?? 'http:',
      hostname: options.hostname,
      port: options.port,
      path: options.path,
      method: options.method ?? 'GET',
      headers: { ...options.headers },
    });
    const outer = Object.assign(new EventEmitter(), {
      setHeader: (name: string, value: string) => request.setHeader(name, value),
      end: () => request.end(),
      abort: () => {
        request.destroy();
        outer.emit('abort');
      },
    });
    request.on('error', (error) => outer.emit('error', error));
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (status >= 300 && status < 400 && location !== undefined)
        outer.emit('redirect', status, 'GET', location);
      else outer.emit('response', response);
    });
    return outer;
  },
};

interface SquirrelPlay {
  /** The error with which Squirrel.Mac rejects the file, or null if it accepts the file. */
  refusal: string | null;
}

/**
 * Electron's built-in updater. On macOS electron-updater passes the downloaded file to it: `checkForUpdates` fetches the file
 * from a local server and later emits `update-downloaded` or `error`. `quitAndInstall` closes the windows first.
 */
class AutoUpdater extends EventEmitter {
  readonly play: SquirrelPlay = { refusal: null };
  setFeedURL(options: { readonly url: string }): void {
    note('autoUpdater.setFeedURL', options.url);
  }
  checkForUpdates(): void {
    note('autoUpdater.checkForUpdates');
    setImmediate(() => {
      const { refusal } = this.play;
      if (refusal === null) this.emit('update-downloaded', {});
      else this.emit('error', new Error(refusal));
    });
  }
  quitAndInstall(): void {
    note('autoUpdater.quitAndInstall');
    this.emit('before-quit-for-update');
    app.quit();
  }
}
export const autoUpdater = new AutoUpdater();
