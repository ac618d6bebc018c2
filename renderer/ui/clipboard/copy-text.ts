import { clipboardText } from './shell-quote.ts';
import { showNotice, type Say } from '../notices/notices.tsx';

/**
 * Writes text to the clipboard, without what a terminal would act on: a key or a message may be pasted into one. If the
 * system refuses, a notice says so; `false` then.
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

/** The same, with a notice on success. */
export async function copyAndSay(text: string, said: Say = (say) => say('common.copied')): Promise<void> {
  if (await copyText(text)) showNotice({ message: said, staysMs: 1500 });
}
