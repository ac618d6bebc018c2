import { useEffect, useRef, useState } from 'react';
import type { RangeSource } from '../frame/range-source.ts';
import { findBytes } from './find-bytes.ts';
import { parseHexBytes } from './hex-text.ts';

export type BytesForm = 'text' | 'hex';

export type ByteSearch =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly readBytes: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-hex' }
  | { readonly kind: 'failed'; readonly thrown: unknown }
  | { readonly kind: 'found'; readonly start: number; readonly end: number };

/** Searches for bytes after the last match, or from the visible position. */
export function useFindBytes(source: RangeSource, onFound: (offset: number) => void) {
  const [state, setState] = useState<ByteSearch>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const search = async (wanted: Uint8Array, form: BytesForm, fromByte: number): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ kind: 'running', readBytes: 0 });
    try {
      const start = await findBytes(source, {
        wanted,
        foldsCase: form === 'text',
        fromByte,
        signal,
        onProgress: (readBytes) => {
          if (!signal.aborted) setState({ kind: 'running', readBytes });
        },
      });
      if (signal.aborted) return;
      setState(start === null ? { kind: 'none' } : { kind: 'found', start, end: start + wanted.length });
      if (start !== null) onFound(start);
    } catch (thrown) {
      if (!signal.aborted) setState({ kind: 'failed', thrown });
    }
  };
  return {
    state,
    clear: () => {
      running.current?.abort();
      setState({ kind: 'idle' });
    },
    next: (text: string, form: BytesForm, fromByte: number) => {
      const wanted = form === 'hex' ? parseHexBytes(text) : new TextEncoder().encode(text);
      if (wanted === null) setState({ kind: 'not-hex' });
      else if (wanted.length > 0)
        void search(wanted, form, state.kind === 'found' ? state.start + 1 : fromByte);
    },
  };
}
