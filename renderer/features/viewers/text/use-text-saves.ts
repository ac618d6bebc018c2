import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useRef, useState } from 'react';
import { failure, type AppError } from '../../../../shared/errors.ts';
import { largestTextBytes, type Edit } from '../../../../shared/models/edits.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { TextEdit } from '../../edits/index.ts';
import { encodeText } from './editable-text.ts';
import type { EncodingFound } from '../encoding/text-encoding.ts';

interface Status {
  /** True if the text in the editor differs from the text in the bucket. */
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** True once a save has reached the bucket. */
  readonly hasSaved: boolean;
  /** The result of the last save, or null before the first save. */
  readonly edit: Edit | null;
  /** The error of the last save if it did not reach the bucket. */
  readonly error: AppError | null;
}

const untouched: Status = { isChanged: false, isBusy: false, hasSaved: false, edit: null, error: null };

export interface TextSaves extends Status {
  /** True if the user must decide about a text that is saved on disk but not in the bucket. */
  readonly isWaiting: boolean;
  readonly save: () => void;
  readonly overwrite: () => void;
  readonly discard: () => void;
  /** Reports each change of the text. */
  readonly note: (doc: Text) => void;
}

/** Saves the editor's text, one save at a time. A save requested during another one runs afterwards, unless that one failed. */
export function useTextSaves(
  begin: () => TextEdit,
  editor: EditorView | null,
  encoding: EncodingFound,
): TextSaves {
  const [edits] = useState(begin);
  const [status, setStatus] = useState(untouched);
  const inBucket = useRef<Text | null>(null);
  const sent = useRef<Text | null>(null);
  const isBusy = useRef(false);
  /** True if a save was requested while another save was in flight. */
  const isQueued = useRef(false);
  useEffect(
    () => () => {
      isQueued.current = false;
      edits.end();
    },
    [edits],
  );

  const note = useCallback((doc: Text) => {
    inBucket.current ??= doc;
    const isChanged = !doc.eq(inBucket.current);
    setStatus((before) => (before.isChanged === isChanged ? before : { ...before, isChanged }));
  }, []);
  const send = async (work: () => Promise<Edit | null>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    isQueued.current = false;
    let isSent = false;
    setStatus((before) => ({ ...before, isBusy: true }));
    try {
      const edit = await work();
      isSent = edit?.state === 'open';
      if (isSent) inBucket.current = sent.current;
      setStatus((before) => ({
        isBusy: false,
        hasSaved: before.hasSaved || isSent,
        edit,
        error: edit?.error ?? null,
        isChanged: editor !== null && inBucket.current !== null && !editor.state.doc.eq(inBucket.current),
      }));
    } catch (thrown) {
      setStatus((before) => ({ ...before, isBusy: false, error: appErrorOf(thrown) }));
    } finally {
      isBusy.current = false;
    }
    if (isSent && isQueued.current) save();
  };
  function save(): void {
    if (editor === null) return;
    if (isBusy.current) {
      isQueued.current = true;
      return;
    }
    const { doc } = editor.state;
    const bytes = encodeText(editor.state.sliceDoc(), encoding);
    void send(async () => {
      if (bytes === null)
        throw failure('invalid-argument', 'The encoding lacks a character of the text.', {
          reason: 'edit-not-encodable',
        });
      if (bytes.length > largestTextBytes)
        throw failure('invalid-argument', 'The text is too large.', { reason: 'edit-too-large' });
      sent.current = doc;
      return await edits.save(bytes);
    });
  }
  const overwrite = (): void => void send(async () => await edits.overwrite());
  const discard = useCallback(() => {
    edits.discard().catch(reportError);
  }, [edits]);
  const isWaiting = status.edit !== null && status.edit.state !== 'open';
  return { ...status, isWaiting, save, overwrite, discard, note };
}
