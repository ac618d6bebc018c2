/**
 * The desktop's side: the preload puts `window.cooper` into the page, and `connect()` asks for a port to the core. The
 * port arrives as a `message` event of the window whose data is `portMessage`, whose origin is the window's own, and
 * whose `ports[0]` speaks oRPC.
 */
export interface DesktopBridge {
  connect(): void;
  /** Hears what is chosen in the program's menu: the name of one of the window's commands. */
  onCommand(listener: (command: string) => void): void;
  /** A file that was dropped on the page, as a handle; only the preload knows its path. A `DropAnswer`. */
  droppedFile(file: unknown): Promise<unknown>;
}
export const desktopBridgeName = 'cooper';
export const portMessage = 'cooper:port';
