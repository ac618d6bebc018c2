import { clipboardText } from './shell-quote.ts';
import { showNotice, type NoticeMessage } from '../notices/notices.tsx';

/**
 * Writes text to the clipboard, without characters that a terminal would act on, since the text may be pasted into one. If the
 * system refuses, shows a notice and returns false.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(clipboardText(text));
    return true;
  } catch {
    showNotice({ tone: 'bad', message: (say) => say('common.copyFailed') });
    return false;
  }
}

/** Copies like `copyText` and shows a notice on success. */
export async function copyAndSay(
  text: string,
  message: NoticeMessage = (say) => say('common.copied'),
): Promise<void> {
  if (await copyText(text)) showNotice({ message: message, staysMs: 1500 });
}
