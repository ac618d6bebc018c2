import { Text } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import type { EditorParts } from './editor.ts';
import type { TextPiece, TextFile } from './pieces.ts';
import { drawableText } from './special-characters.ts';

/** Limit of loaded pieces. At 256 KiB each, at most 2 MiB of a file are in memory. */
const maxPieces = 8;

export interface LargeText {
  /** Shows the line containing a byte. */
  readonly toByte: (byte: number) => Promise<void>;
  readonly toEnd: () => Promise<void>;
  /** Returns the offset at which the loaded part of the file ends. */
  readonly endByte: () => number;
  readonly close: () => void;
}

export interface LargeTextOptions {
  readonly editor: EditorView;
  readonly numbers: EditorParts['numbers'];
  readonly file: TextFile;
  /** Reports the approximate offset of the first visible line. */
  readonly onPlace: (byte: number) => void;
  readonly onError: (thrown: unknown) => void;
}

interface Shown {
  readonly piece: TextPiece;
  /** The editor counts each line end as one character. */
  readonly length: number;
  readonly lines: number;
}

/**
 * Shows a section of a file in an editor, and loads more while the user scrolls. Sends one request at a time and reads at most
 * two screens ahead.
 */
export function showLargeText({ editor, numbers, file, onPlace, onError }: LargeTextOptions): LargeText {
  let shown: readonly Shown[] = [];
  // The number of lines before the first loaded line. Null if unknown, because reading began in the middle of the file.
  let linesBefore: number | null = null;
  let filling: AbortSignal | null = null;
  let aborter = new AbortController();

  const numberLines = () =>
    numbers.reconfigure(
      lineNumbers({ formatNumber: (line) => (linesBefore === null ? '·' : String(line + linesBefore)) }),
    );
  const startByte = (): number => shown[0]?.piece.startByte ?? file.startByte;
  const endByte = (): number => shown.at(-1)?.piece.endByte ?? file.startByte;

  const showOnly = (piece: TextPiece, at: 'start' | 'end'): void => {
    const { content, ...facts } = measured(piece);
    shown = [facts];
    linesBefore = piece.startByte <= file.startByte ? 0 : null;
    const anchor = at === 'start' ? 0 : content.length;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: content },
      selection: { anchor },
      effects: [numberLines(), EditorView.scrollIntoView(anchor, { y: at })],
    });
  };

  const append = (piece: TextPiece): void => {
    const { content, ...facts } = measured(piece);
    const dropped = shown.length >= maxPieces ? shown[0] : undefined;
    const doc = editor.state.doc.length;
    shown = [...(dropped === undefined ? shown : shown.slice(1)), facts];
    if (dropped !== undefined && linesBefore !== null) linesBefore += dropped.lines;
    editor.dispatch({
      changes: [
        ...(dropped === undefined ? [] : [{ from: 0, to: dropped.length }]),
        { from: doc, insert: content },
      ],
      effects: numberLines(),
    });
  };

  const prepend = (piece: TextPiece): void => {
    const { content, ...facts } = measured(piece);
    const dropped = shown.length >= maxPieces ? shown.at(-1) : undefined;
    const top = editor.lineBlockAtHeight(editor.scrollDOM.scrollTop).from;
    const doc = editor.state.doc.length;
    shown = [facts, ...(dropped === undefined ? shown : shown.slice(0, -1))];
    if (piece.startByte <= file.startByte) linesBefore = 0;
    else if (linesBefore !== null) linesBefore -= facts.lines;
    const keepsTop = top < doc - (dropped?.length ?? 0);
    editor.dispatch({
      changes: [
        { from: 0, insert: content },
        ...(dropped === undefined ? [] : [{ from: doc - dropped.length, to: doc }]),
      ],
      // Keeps the line at the top in place.
      effects: [
        numberLines(),
        ...(keepsTop ? [EditorView.scrollIntoView(top + content.length, { y: 'start', yMargin: 0 })] : []),
      ],
    });
  };

  const reportPlace = (): void => {
    let before = editor.lineBlockAtHeight(editor.scrollDOM.scrollTop).from;
    for (const { piece, length } of shown) {
      if (before <= length) {
        onPlace(piece.startByte + ((piece.endByte - piece.startByte) * before) / Math.max(1, length));
        return;
      }
      before -= length;
    }
  };

  /**
   * Returns true if the first or last piece can be dropped to make room. Keeps visible pieces, since an endless line would
   * otherwise be read to the end of the file.
   */
  const canDrop = (which: 'first' | 'last'): boolean => {
    if (shown.length < maxPieces) return true;
    const { from = 0 } = editor.visibleRanges[0] ?? {};
    const { to = 0 } = editor.visibleRanges.at(-1) ?? {};
    return which === 'first'
      ? from >= (shown[0]?.length ?? 0)
      : to <= editor.state.doc.length - (shown.at(-1)?.length ?? 0);
  };

  /** Reads the pieces near the screen, one at a time. */
  const fill = async (): Promise<void> => {
    const { signal } = aborter;
    if (filling === signal) return;
    filling = signal;
    try {
      for (;;) {
        const { scrollTop, clientHeight, scrollHeight } = editor.scrollDOM;
        if (scrollHeight - scrollTop - clientHeight < 2 * clientHeight && endByte() < file.sizeBytes) {
          if (!canDrop('first')) return;
          const piece = await file.after(endByte(), signal);
          if (signal.aborted) return;
          append(piece);
        } else if (scrollTop < 2 * clientHeight && startByte() > file.startByte) {
          if (!canDrop('last')) return;
          const piece = await file.before(startByte(), signal);
          if (signal.aborted) return;
          prepend(piece);
        } else return;
        await drawn();
        if (signal.aborted) return;
      }
    } catch (thrown) {
      if (!signal.aborted) onError(thrown);
    } finally {
      if (filling === signal) filling = null;
    }
  };
  const drawn = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      editor.requestMeasure({ read: () => undefined, write: () => resolve() });
    });
  };

  const go = async (
    load: (signal: AbortSignal) => Promise<TextPiece>,
    at: 'start' | 'end',
  ): Promise<void> => {
    aborter.abort();
    aborter = new AbortController();
    const { signal } = aborter;
    try {
      const piece = await load(signal);
      if (signal.aborted) return;
      showOnly(piece, at);
      await drawn();
      reportPlace();
      void fill();
    } catch (thrown) {
      if (!signal.aborted) onError(thrown);
    }
  };
  const scroll = (): void => {
    reportPlace();
    void fill();
  };
  editor.scrollDOM.addEventListener('scroll', scroll);

  return {
    toByte: async (byte) => await go(async (signal) => await file.around(byte, signal), 'start'),
    toEnd: async () => await go(async (signal) => await file.before(file.sizeBytes, signal), 'end'),
    endByte,
    close: () => {
      aborter.abort();
      editor.scrollDOM.removeEventListener('scroll', scroll);
    },
  };
}

function measured(piece: TextPiece): Shown & { readonly content: Text } {
  const content = Text.of(drawableText(piece.text).split(/\r\n|\r|\n/u));
  return { piece, length: content.length, lines: content.lines - 1, content };
}
