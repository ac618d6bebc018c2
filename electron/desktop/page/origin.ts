/** The scheme of the window's page. Its origin counts as secure, and no server on a network can have it. */
export const appScheme = 'cooper';
const appHost = 'app';
const appOrigin = `${appScheme}://${appHost}`;
export const appAddress = `${appOrigin}/`;

/** Returns true if the address is the window's page, the only one that a window may show. The bytes of an object never count. */
export function isAppPage(address: string): boolean {
  return isAppResource(address) && ['', '/'].includes(new URL(address).pathname);
}

/**
 * Returns true if the address has the program's scheme and host. Compares both separately, because `origin` is opaque in Node for
 * custom schemes.
 */
export function isAppResource(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${appScheme}:` && url.host === appHost && url.username === '' && url.port === '';
}

/** Returns true for https URLs, the only ones that may open in the system's browser. */
export function isOpenableOutside(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

interface Frame {
  readonly url: string;
}

/** The fields of an IPC event that determine whether its sender is trusted. */
export interface SenderEvent {
  /** The sending frame; null if it navigated away or is gone. */
  readonly senderFrame: Frame | null;
  readonly sender: { readonly id: number; readonly mainFrame: Frame };
}

/** Returns true for the main frame of a program window that shows the program's page. */
export function isTrustedSender(
  { senderFrame: frame, sender }: SenderEvent,
  isProgramWindow: (contentsId: number) => boolean,
): boolean {
  if (frame === null || frame !== sender.mainFrame) return false;
  return isProgramWindow(sender.id) && isAppPage(frame.url);
}
