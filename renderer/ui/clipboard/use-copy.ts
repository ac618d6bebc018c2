import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from './copy-text.ts';

const shownMs = 1500;

export interface Copying {
  readonly copied: boolean;
  readonly copy: (text: string) => Promise<void>;
}

/** Copies text to the clipboard and sets `copied` for a moment afterwards. */
export function useCopy(): Copying {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const copy = useCallback(async (text: string) => {
    if (!(await copyText(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setCopied(false);
    }, shownMs);
  }, []);
  return { copied, copy };
}
