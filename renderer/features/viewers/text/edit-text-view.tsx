import { Button } from '@mantine/core';
import { EditorView, keymap } from '@codemirror/view';
import { Save } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useStable } from '../../../ui/use-stable.ts';
import { useWhole, useUnsaved } from '../frame/viewer-hooks.ts';
import { ViewerLoading, ViewerFailed, ViewerFrame, ViewerMessage } from '../frame/frame.tsx';
import { useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewedFile } from '../frame/viewer.ts';
import type { TextEdit } from '../../edits/index.ts';
import { editableText, type EditableText } from './editable-text.ts';
import { Editor } from './editor-view.tsx';
import { TextTools } from './tools.tsx';
import { useFindInEditor } from './use-find.ts';
import { useTextSaves } from './use-text-saves.ts';
import classes from '../texts.module.css';
import frame from '../viewers.module.css';

export interface EditTextProps {
  readonly file: ViewedFile;
  /** Returns the functions that save this editor's text. */
  readonly begin: () => TextEdit;
  /** Called when the user closes the editor. `hasSaved` is true if the object in the bucket has changed. */
  readonly onDone: (hasSaved: boolean) => void;
}

/** Edits a text in the window and saves it to its object. */
export function EditTextView(props: EditTextProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useWhole(props.file.source);
  const { chosen } = useEncoding(props.file);
  const text = useMemo(() => (data === undefined ? undefined : editableText(data, chosen)), [data, chosen]);
  const done = <DoneButton onClick={() => props.onDone(false)} />;
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} end={done} />;
  if (text === undefined) return <ViewerLoading />;
  if (text === null)
    return (
      <ViewerMessage end={done} title={t('viewers.edit.notText')} body={t('viewers.edit.notTextBody')} />
    );
  return <OpenText {...props} text={text} />;
}

interface DoneButtonProps {
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

/** Closes the editor. */
function DoneButton({ isDisabled = false, onClick }: DoneButtonProps) {
  const { t } = useTranslation();
  return (
    <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onClick}>
      {t('viewers.edit.done')}
    </Button>
  );
}

function OpenText({ file, begin, onDone, text }: EditTextProps & { readonly text: EditableText }) {
  const { t } = useTranslation();
  const [editor, setEditor] = useState<EditorView | null>(null);
  const [isWrapped, setWrapped] = useState(false);
  const find = useFindInEditor(editor);
  const saves = useTextSaves(begin, editor, text.encoding);
  const { note, isChanged, isBusy, isWaiting, error, hasSaved } = saves;
  const leave = useUnsaved(isChanged || isWaiting || isBusy, saves.discard);
  const { save } = useStable({ save: saves.save });
  const extensions = useMemo(
    () => [
      keymap.of([
        {
          key: 'Mod-s',
          preventDefault: true,
          run: () => {
            save();
            return true;
          },
        },
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) note(update.state.doc);
      }),
      EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll(/\r\n?|\n/g, text.lineEnd)),
    ],
    [note, save, text.lineEnd],
  );
  const opened = useCallback(
    (next: EditorView | null) => {
      setEditor(next);
      if (next === null) return;
      note(next.state.doc);
      next.focus();
    },
    [note],
  );
  const isConflict = saves.edit?.state === 'conflict';
  const shown = isChanged ? 'changed' : hasSaved ? 'saved' : null;
  return (
    <ViewerFrame
      notes={isWaiting ? [t('viewers.edit.kept')] : []}
      toolbar={<TextTools find={find} isWrapped={isWrapped} onWrap={setWrapped} onEnd={null} follow={null} />}
      end={
        <>
          <span className={frame.toolText}>{t(`viewers.encoding.names.${text.encoding.encoding}`)}</span>
          <span role="status" className={frame.toolText}>
            {shown === null ? null : t(`viewers.edit.${shown}`)}
          </span>
          <Button
            size="compact-sm"
            leftSection={<Save size={14} aria-hidden />}
            disabled={!isChanged}
            loading={isBusy}
            onClick={saves.save}
          >
            {t('viewers.edit.save')}
          </Button>
          <DoneButton isDisabled={isBusy} onClick={() => leave(() => onDone(hasSaved))} />
        </>
      }
    >
      <div className={classes.written}>
        {error === null ? null : (
          <ErrorNotice
            error={error}
            {...(isConflict ? {} : { onRetry: saves.save })}
            actions={
              isConflict ? (
                <Button variant="default" loading={isBusy} onClick={saves.overwrite}>
                  {t('edits.conflict.overwrite')}
                </Button>
              ) : undefined
            }
          />
        )}
        <Editor
          text={text.text}
          label={t('viewers.text.content', { name: file.name })}
          fileName={file.name}
          isWrapped={isWrapped}
          lineEnd={text.lineEnd}
          extensions={extensions}
          onEditor={opened}
        />
      </div>
    </ViewerFrame>
  );
}
