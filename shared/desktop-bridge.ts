/**
 * The API that the preload exposes to the page as `window.cooper`. `connect()` requests a port to the core. The port arrives as
 * a `message` event of the window whose data is `portMessage`, whose origin is the window's own, and whose `ports[0]` carries
 * oRPC.
 */
export interface DesktopBridge {
  connect(): void;
  /** Calls `listener` with the id of the window command that was chosen in the program's menu. */
  onCommand(listener: (command: string) => void): void;
  /** Resolves to a `DropResponse` with the handle of a dropped file. Only the preload knows its path. */
  droppedFile(file: unknown): Promise<unknown>;
}
export const desktopBridgeName = 'cooper';
export const portMessage = 'cooper:port';
