import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useState } from 'react';
import { editorParts, openEditor, type EditorParts } from './editor.ts';
import { languageFor } from './code-language.ts';
import classes from '../texts.module.css';

interface EditorProps {
  /** The initial text. A changed prop creates a new editor. */
  readonly text: string;
  readonly label: string;
  /** Determines the syntax colours. */
  readonly fileName: string;
  readonly isWrapped: boolean;
  /** Null for a read-only editor. */
  readonly lineEnd: string | null;
  readonly extensions?: Extension;
  /** Called with the new editor, and with null once it has been removed. */
  readonly onEditor: (editor: EditorView | null, parts: EditorParts) => void;
}

const noExtensions: Extension = [];

/** Renders an editor. */
export function Editor(props: EditorProps) {
  const { text, label, fileName, isWrapped, lineEnd, extensions = noExtensions, onEditor } = props;
  const [parts] = useState(editorParts);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const open = useCallback(
    (parent: HTMLDivElement) => {
      const opened = openEditor({ parent, text, label, parts, lineEnd, extensions });
      setEditor(opened);
      onEditor(opened, parts);
      return () => {
        opened.destroy();
        setEditor(null);
        onEditor(null, parts);
      };
    },
    [text, label, parts, lineEnd, extensions, onEditor],
  );
  useEffect(() => {
    editor?.dispatch({ effects: parts.wrap.reconfigure(isWrapped ? EditorView.lineWrapping : []) });
  }, [editor, parts, isWrapped]);
  useEffect(() => {
    let isOver = false;
    if (editor === null) return undefined;
    languageFor(fileName).then(
      (language) => {
        if (!isOver && language !== null) editor.dispatch({ effects: parts.language.reconfigure(language) });
        return null;
      },
      // The text is readable without colours too, so the error is only reported.
      reportError,
    );
    return () => {
      isOver = true;
    };
  }, [editor, parts, fileName]);
  return <div ref={open} className={classes.editor} data-keeps-arrows />;
}
