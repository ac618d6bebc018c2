import { findNext, findPrevious } from '@codemirror/search';
import { EditorView } from '@codemirror/view';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/words/format.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';
import { findInFile } from './pieces.ts';
import type { LargeText } from './large-text.ts';
import { markMatches, matchAfter } from './editor.ts';
import type { TextFind } from './tools.tsx';

interface FindDeps {
  readonly source: RangeSource;
  readonly encoding: TextEncoding;
  readonly editor: EditorView | null;
  readonly large: RefObject<LargeText | null>;
  readonly onError: (thrown: unknown) => void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly readBytes: number }
  | { readonly kind: 'none' };

/**
 * Searches for a text from the selection to the end of a file. Searches the loaded part first, then the rest without loading it
 * into the editor.
 */
export function useFindInFile({ source, encoding, editor, large, onError }: FindDeps): TextFind {
  const { t } = useTranslation();
  const [searchText, setSearchText] = useState('');
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  const stop = useCallback((): void => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);

  const search = async (editor: EditorView, shown: LargeText, signal: AbortSignal): Promise<void> => {
    const loadedMatch = matchAfter(editor, searchText, editor.state.selection.main.to);
    if (loadedMatch !== null) {
      select(editor, loadedMatch);
      setState({ kind: 'idle' });
      return;
    }
    const fromByte = shown.endByte();
    setState({ kind: 'running', readBytes: 0 });
    const byte =
      fromByte >= source.sizeBytes
        ? null
        : await findInFile(source, {
            text: searchText,
            encoding,
            fromByte,
            signal,
            onProgress: (readBytes) => setState({ kind: 'running', readBytes }),
          });
    if (byte === null) {
      setState({ kind: 'none' });
      return;
    }
    await shown.toByte(byte);
    if (signal.aborted) return;
    const newMatch = matchAfter(editor, searchText, 0);
    if (newMatch !== null) select(editor, newMatch);
    setState(newMatch === null ? { kind: 'none' } : { kind: 'idle' });
  };

  const found =
    state.kind === 'running'
      ? t('viewers.text.finding', { size: formatBytes(state.readBytes) })
      : state.kind === 'none'
        ? t('viewers.text.notFound')
        : null;
  return {
    searchText,
    found,
    onSearchText: (text) => {
      stop();
      setState({ kind: 'idle' });
      setSearchText(text);
      if (editor !== null) markMatches(editor, text);
    },
    onPrevious: null,
    onNext: () => {
      const shown = large.current;
      if (editor === null || shown === null || searchText === '') return;
      stop();
      const aborter = new AbortController();
      running.current = aborter;
      search(editor, shown, aborter.signal).catch((thrown: unknown) => {
        if (aborter.signal.aborted) return;
        setState({ kind: 'idle' });
        onError(thrown);
      });
    },
  };
}

/** Marks and counts the matches of a text in an editor that holds the whole file. */
export function useFindInEditor(editor: EditorView | null): TextFind {
  const { t } = useTranslation();
  const [searchText, setSearchText] = useState('');
  const [matches, setMatches] = useState(0);
  return {
    searchText,
    found: searchText === '' ? null : t('viewers.text.matches', { count: matches }),
    onSearchText: (text) => {
      setSearchText(text);
      if (editor !== null) setMatches(markMatches(editor, text));
    },
    onPrevious: () => editor !== null && findPrevious(editor),
    onNext: () => editor !== null && findNext(editor),
  };
}

function select(editor: EditorView, match: { readonly from: number; readonly to: number }): void {
  editor.dispatch({
    selection: { anchor: match.from, head: match.to },
    effects: EditorView.scrollIntoView(match.from, { y: 'center' }),
  });
}
