import type { EditorView } from '@codemirror/view';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { ViewerLoading, ViewerFailed, ViewerFrame } from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import type { ViewedFile, ViewerProps } from '../frame/viewer.ts';
import { Editor } from './editor-view.tsx';
import type { EditorParts } from './editor.ts';
import type { EncodingFound } from '../encoding/text-encoding.ts';
import { useEncoding, type EncodingChoice, EncodingSelect } from '../encoding/encoding-select.tsx';
import { showLargeText, type LargeText } from './large-text.ts';
import { openText, type TextFile } from './pieces.ts';
import { TextTools } from './tools.tsx';
import { useFollow } from './use-follow.ts';
import { useFindInFile } from './use-find.ts';
import classes from '../texts.module.css';
import frame from '../viewers.module.css';

/** Shows a text of any size. Keeps only the part around the screen in memory. */
export function LargeTextView({ file }: ViewerProps) {
  const encoding = useEncoding(file);
  const { chosen } = encoding;
  const { data, error, refetch } = useRead(
    async (signal) => await openText(file.source, { chosen }, signal),
    [chosen],
  );
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  return data === undefined ? (
    <ViewerLoading />
  ) : (
    <Shown file={file} text={data} encoding={encoding} key={chosen} />
  );
}

interface ShownProps {
  readonly file: ViewedFile;
  readonly text: TextFile & EncodingFound;
  readonly encoding: EncodingChoice;
}

function Shown({ file, text, encoding }: ShownProps) {
  const { t } = useTranslation();
  const [isWrapped, setWrapped] = useState(false);
  const [placeByte, setPlace] = useState(0);
  const [error, setError] = useState<AppError | null>(null);
  const large = useRef<LargeText | null>(null);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const { follow, error: followError } = useFollow(file);
  const [startsAtEnd] = useState(follow?.isOn === true);
  const opened = useCallback(
    (next: EditorView | null, parts: EditorParts) => {
      large.current?.close();
      large.current = null;
      setEditor(next);
      if (next === null) return;
      const shown = showLargeText({
        editor: next,
        numbers: parts.numbers,
        file: text,
        onPlace: setPlace,
        onError: (thrown) => setError(appErrorOf(thrown)),
      });
      large.current = shown;
      void (startsAtEnd ? shown.toEnd() : shown.toByte(0));
    },
    [text, startsAtEnd],
  );
  const find = useFindInFile({
    source: file.source,
    encoding: text.encoding,
    editor,
    large,
    onError: (thrown) => setError(appErrorOf(thrown)),
  });
  const total = formatBytes(file.source.sizeBytes);
  const shownError = error ?? followError;
  return (
    <ViewerFrame
      notes={[t('viewers.text.large')]}
      failure={
        shownError === null
          ? null
          : {
              error: shownError,
              onRetry: () => {
                setError(null);
                void large.current?.toByte(Math.floor(placeByte));
              },
            }
      }
      toolbar={
        <TextTools
          find={find}
          isWrapped={isWrapped}
          onWrap={setWrapped}
          onEnd={() => {
            setError(null);
            void large.current?.toEnd();
          }}
          follow={follow}
        >
          <input
            type="range"
            className={classes.place}
            min={0}
            max={1000}
            value={Math.round((placeByte / file.source.sizeBytes) * 1000)}
            aria-label={t('viewers.text.place')}
            aria-valuetext={t('viewers.text.at', { at: formatBytes(placeByte), total })}
            data-keeps-arrows
            onChange={({ currentTarget }) => {
              const byte = Math.floor((Number(currentTarget.value) / 1000) * file.source.sizeBytes);
              setPlace(byte);
              setError(null);
              void (byte >= file.source.sizeBytes ? large.current?.toEnd() : large.current?.toByte(byte));
            }}
          />
          <EncodingSelect encoding={text.encoding} onEncoding={encoding.choose} />
          <span className={frame.toolText}>
            {t('viewers.text.at', { at: formatBytes(placeByte), total })}
          </span>
        </TextTools>
      }
    >
      <Editor
        text=""
        label={t('viewers.text.content', { name: file.name })}
        fileName={file.name}
        isWrapped={isWrapped}
        lineEnd={null}
        onEditor={opened}
      />
    </ViewerFrame>
  );
}
