import { isOwnAddress } from './origin.ts';

interface Frame {
  readonly url: string;
}

/** The fields of an IPC event that decide whether its sender is trusted. */
export interface SenderEvent {
  /** null: the frame navigated away or is gone. */
  readonly senderFrame: Frame | null;
  readonly sender: { readonly id: number; readonly mainFrame: Frame };
}

/** Returns true for the main frame of a window of the program, on its own page. */
export function isTrustedSender(
  { senderFrame: frame, sender }: SenderEvent,
  isOwnWindow: (contentsId: number) => boolean,
): boolean {
  if (frame === null || frame !== sender.mainFrame) return false;
  return isOwnWindow(sender.id) && isOwnAddress(frame.url);
}
