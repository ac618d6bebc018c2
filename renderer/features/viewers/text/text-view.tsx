import { SegmentedControl } from '@mantine/core';
import { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { largestTextBytes } from '../../../../shared/models/edits.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { ViewedFile, ViewerProps } from '../frame/viewer.ts';
import { ViewerFailed, ViewerFrame, ViewerLoading } from '../frame/frame.tsx';
import { useWhole } from '../frame/viewer-hooks.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { decodeText } from '../encoding/text-encoding.ts';
import { EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import { LargeTextView } from './large-text-view.tsx';
import { Editor } from './editor-view.tsx';
import { drawableText } from './special-characters.ts';
import { formattedJson } from '../tree/json-tree.ts';
import { TextTools } from './tools.tsx';
import { useFindInEditor } from './use-find.ts';
import { useFollow } from './use-follow.ts';

/** Limit for formatting, since a longer text would block the window. */
const maxFormattedBytes = 1024 * 1024;

function WholeTextView({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  return data === undefined ? <ViewerLoading /> : <Shown file={file} bytes={data} />;
}

function Shown({ file, bytes }: { readonly file: ViewedFile; readonly bytes: Uint8Array }) {
  const { t } = useTranslation();
  const [wantsPretty, setPretty] = useState(true);
  const [isWrapped, setWrapped] = useState(false);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const find = useFindInEditor(editor);
  const { follow, error } = useFollow(file);
  const startsAtEnd = useState(follow?.isOn === true)[0];
  const { chosen, choose } = useEncoding(file);
  const found = useMemo(() => detectEncoding(bytes, chosen), [bytes, chosen]);
  const data = useMemo(() => drawableText(decodeText(bytes, found)), [bytes, found]);
  const isJson =
    /\.(?:json|geojson|ipynb|webmanifest)$/i.test(file.name) && bytes.length <= maxFormattedBytes;
  const pretty = useMemo(() => (isJson ? formattedJson(data) : null), [isJson, data]);
  const opened = useCallback(
    (next: EditorView | null) => {
      setEditor(next);
      if (next !== null && startsAtEnd) showEnd(next);
    },
    [startsAtEnd],
  );
  return (
    <ViewerFrame
      notes={isJson && pretty === null ? [t('viewers.text.notJson')] : []}
      failure={error === null ? null : { error }}
      toolbar={
        <TextTools
          find={find}
          isWrapped={isWrapped}
          onWrap={setWrapped}
          onEnd={() => {
            if (editor !== null) showEnd(editor);
          }}
          follow={follow}
        >
          <EncodingSelect encoding={found.encoding} onEncoding={choose} />
          {pretty === null ? null : (
            <SegmentedControl
              size="xs"
              value={wantsPretty ? 'pretty' : 'raw'}
              onChange={(value) => setPretty(value === 'pretty')}
              data={[
                { value: 'pretty', label: t('viewers.text.pretty') },
                { value: 'raw', label: t('viewers.text.asIs') },
              ]}
            />
          )}
        </TextTools>
      }
    >
      <Editor
        text={wantsPretty && pretty !== null ? pretty : data}
        label={t('viewers.text.content', { name: file.name })}
        fileName={file.name}
        isWrapped={isWrapped}
        lineEnd={null}
        onEditor={opened}
      />
    </ViewerFrame>
  );
}

function showEnd(editor: EditorView): void {
  const end = editor.state.doc.length;
  editor.dispatch({ selection: { anchor: end }, effects: EditorView.scrollIntoView(end, { y: 'end' }) });
}

/** Shows text of any size. A small text is loaded whole, a larger one only around the screen. */
export function TextView({ file }: ViewerProps) {
  return file.source.sizeBytes <= largestTextBytes ? (
    <WholeTextView file={file} />
  ) : (
    <LargeTextView file={file} />
  );
}
