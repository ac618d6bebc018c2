import { EventEmitter } from 'node:events';
import { note, preventable, setup, windows } from './record.ts';

/** The icon in macOS' dock. */
const dock = { setMenu: (menu: unknown): void => note('app.dock.setMenu', menu), bounce: (): number => 1 };

class App extends EventEmitter {
  readonly dock = dock;
  /** Returns true if the setup names resources. Electron itself decides by the executable's name. */
  get isPackaged(): boolean {
    return setup.resourcesPath !== undefined;
  }
  readonly paths = new Map<string, string>();
  setName(name: string): void {
    note('app.setName', name);
  }
  setPath(name: string, value: string): void {
    this.paths.set(name, value);
  }
  enableSandbox(): void {
    note('app.enableSandbox');
  }
  readonly #ready = Promise.withResolvers<void>();
  /** Resolves as in Electron, never before the program's entry module has been evaluated (electron/electron#40719). */
  whenReady(): Promise<void> {
    note('app.whenReady');
    return this.#ready.promise;
  }
  becomeReady(): void {
    this.#ready.resolve();
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? '';
  }
  getAppPath(): string {
    return setup.resourcesPath ?? '';
  }
  getName(): string {
    return 'Cooper';
  }
  getPreferredSystemLanguages(): readonly string[] {
    return setup.languages ?? ['en-GB'];
  }
  getVersion(): string {
    return setup.version ?? '1.0.0';
  }
  setBadgeCount(count: number): void {
    note('app.setBadgeCount', count);
  }
  setAppUserModelId(id: string): void {
    note('app.setAppUserModelId', id);
  }
  setLoginItemSettings(wanted: object): void {
    note('app.setLoginItemSettings', wanted);
  }
  wasOpenedAtLogin = false;
  getLoginItemSettings(): object {
    return { openAtLogin: false, wasOpenedAtLogin: this.wasOpenedAtLogin };
  }
  setJumpList(categories: unknown): string {
    note('app.setJumpList', categories);
    return 'ok';
  }
  setAsDefaultProtocolClient(...args: unknown[]): boolean {
    note('app.setAsDefaultProtocolClient', ...args);
    return true;
  }
  removeAsDefaultProtocolClient(...args: unknown[]): boolean {
    note('app.removeAsDefaultProtocolClient', ...args);
    return true;
  }
  applicationsFolder: 'inside' | 'outside' | 'refused' = 'inside';
  isInApplicationsFolder(): boolean {
    return this.applicationsFolder === 'inside';
  }
  /** Returns true, or throws if the setup refuses. Electron would end this process and start the moved program. */
  moveToApplicationsFolder(): boolean {
    note('app.moveToApplicationsFolder');
    if (this.applicationsFolder === 'refused') throw new Error('The file system refused it.');
    return true;
  }
  requestSingleInstanceLock(): boolean {
    note('app.requestSingleInstanceLock');
    return this.hasSingleInstanceLock();
  }
  hasSingleInstanceLock(): boolean {
    return setup.isSecond !== true;
  }
  getFileIcon(file: string): Promise<{ isEmpty(): boolean; of: string }> {
    return Promise.resolve({ isEmpty: () => false, of: file });
  }
  isQuitting = false;
  /** Quits in Electron's order: `before-quit`, then closes every window, which may prevent it, then `will-quit`. */
  quit(): void {
    note('app.quit');
    const asked = preventable();
    this.emit('before-quit', asked);
    if (asked.prevented) return;
    this.isQuitting = true;
    const hasStayed = windows.some((window) => {
      if (!window.destroyed) window.close();
      return !window.destroyed;
    });
    this.isQuitting = !hasStayed;
    if (!hasStayed) this.emit('will-quit', preventable());
  }
  relaunch(): void {
    note('app.relaunch');
  }
  exit(status: number): void {
    note('app.exit', status);
    this.emit('stand-in-exit', status);
  }
}
export const app = new App();
