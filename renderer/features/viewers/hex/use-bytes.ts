import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RangeSource } from '../frame/range-source.ts';
import { findBytes, bytesPerRow, parseHexBytes } from './hex-bytes.ts';

/** Milliseconds without scrolling after which visible rows are read. Rows that are scrolled past are not read. */
const restMs = 80;

interface Loaded {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Reads the bytes of the visible rows. */
export function useBytes(source: RangeSource) {
  const [loaded, setLoaded] = useState<Loaded>({ offset: 0, bytes: new Uint8Array() });
  const [error, setError] = useState<unknown>(null);
  const range = useRef<readonly [first: number, last: number]>([0, 40]);
  const aborter = useRef<AbortController | null>(null);
  const read = useCallback(async () => {
    aborter.current?.abort();
    const controller = new AbortController();
    aborter.current = controller;
    const [first, last] = range.current;
    const offset = first * bytesPerRow;
    const length = Math.min((last + 1) * bytesPerRow, source.sizeBytes) - offset;
    if (length <= 0) return;
    try {
      const bytes = await source.read(offset, length, controller.signal);
      if (!controller.signal.aborted) setLoaded({ offset, bytes });
    } catch (thrown) {
      if (!controller.signal.aborted) setError(thrown);
    }
  }, [source]);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- sets state only after the bytes were read
    void read();
    return () => aborter.current?.abort();
  }, [read]);
  const readLater = useDebouncedCallback(() => void read(), restMs);
  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = [first, last];
      readLater();
    },
    [readLater],
  );
  return {
    /** Returns the bytes in a row. Empty until they are loaded. */
    rowAt: (row: number): Uint8Array => {
      const start = row * bytesPerRow - loaded.offset;
      return start < 0 ? new Uint8Array() : loaded.bytes.subarray(start, start + bytesPerRow);
    },
    onRange,
    error,
    retry: () => {
      setError(null);
      void read();
    },
  };
}

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
  const search = async (pattern: Uint8Array, form: BytesForm, fromByte: number): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ kind: 'running', readBytes: 0 });
    try {
      const start = await findBytes(source, {
        pattern,
        foldsCase: form === 'text',
        fromByte,
        signal,
        onProgress: (readBytes) => {
          if (!signal.aborted) setState({ kind: 'running', readBytes });
        },
      });
      if (signal.aborted) return;
      setState(start === null ? { kind: 'none' } : { kind: 'found', start, end: start + pattern.length });
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
      const pattern = form === 'hex' ? parseHexBytes(text) : new TextEncoder().encode(text);
      if (pattern === null) setState({ kind: 'not-hex' });
      else if (pattern.length > 0)
        void search(pattern, form, state.kind === 'found' ? state.start + 1 : fromByte);
    },
  };
}
