import { isOwnAddress } from './origin.ts';

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
  isOwnWindow: (contentsId: number) => boolean,
): boolean {
  if (frame === null || frame !== sender.mainFrame) return false;
  return isOwnWindow(sender.id) && isOwnAddress(frame.url);
}
