import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import { largestTextBytes } from '../../../shared/models/edits.ts';
import { orpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { formatBytes } from '../../ui/words/format.ts';
import { textEdit } from '../edits/index.ts';
import {
  chooseViewer,
  sniffedBytes,
  viewerFactsOf,
  type ViewedFile,
  type ViewedObject,
  type Viewer,
} from './frame/viewer.ts';
import { NoPreview } from './frame/no-preview.tsx';
import {
  type FileViewProps,
  NestedViewProvider,
  ObjectRefreshProvider,
  useObjectRefresh,
  useRead,
} from './frame/viewer-hooks.ts';
import {
  FrameActionsProvider,
  ViewerFailed,
  ViewerFrame,
  ViewerLoading,
  ViewerMessage,
} from './frame/frame.tsx';
import { hexViewer, textViewer, viewers } from './registry.ts';
import { looksLikeText } from './encoding/detect-encoding.ts';
import classes from './viewers.module.css';

/** The text editor, loaded on first use. */
const EditText = lazyComponent(async () => (await import('./text/edit-text-view.tsx')).EditTextView);

const drawFile = (props: FileViewProps): ReactNode => <FileView {...props} isInside />;

interface WholeFileViewProps extends FileViewProps {
  /** True inside another viewer, which has applied its own size limit already. */
  readonly isInside?: boolean;
  /** Limit in bytes for a quick look, which shows only the content. With null, the limits in the settings apply. */
  readonly lookBytes?: number | null;
}

/** Shows a file in the matching viewer: an object, or content that another viewer found inside one. */
export function FileView(props: WholeFileViewProps) {
  const { file, onDownload, isInside = false, lookBytes = null } = props;
  const { t } = useTranslation();
  const outerRefresh = useObjectRefresh();
  const [isEditing, setEditing] = useState(false);
  const [form, setForm] = useState<'itself' | 'text' | 'bytes'>('itself');
  const isAsText = form === 'text';
  const { viewer, isTextInside, error, isPending, retry } = useViewer(file, isAsText);
  const shown = form === 'bytes' ? hexViewer : isAsText ? textViewer : viewer;
  const actions = {
    showAsText: shown?.id === textViewer.id ? null : () => setForm('text'),
    showBytes: form === 'bytes' ? null : () => setForm('bytes'),
    showAsItself:
      form === 'bytes' || (isAsText && viewer?.id !== textViewer.id) ? () => setForm('itself') : null,
    download: onDownload,
    edit:
      lookBytes === null && shown?.isText === true && (!isAsText || isTextInside) && isEditable(file)
        ? () => setEditing(true)
        : null,
    isBare: lookBytes !== null,
  };
  if (isEditing && isEditable(file)) {
    const { ref, etag, refresh } = file.object;
    const { connectionId, bucket, key } = ref;
    return (
      <div className={classes.view}>
        <Suspense fallback={<ViewerLoading />}>
          <EditText
            file={file}
            begin={() => textEdit({ connectionId, bucket, key }, etag)}
            onDone={(hasSaved) => {
              setEditing(false);
              // The preview now shows the saved version. If this refresh fails, the next preview shows it.
              if (hasSaved) refresh().catch(reportError);
            }}
          />
        </Suspense>
        <p className={classes.limit}>{t('viewers.edit.limit', { limit: formatBytes(largestTextBytes) })}</p>
      </div>
    );
  }
  return (
    <ObjectRefreshProvider value={file.object?.refresh ?? outerRefresh}>
      <FrameActionsProvider value={actions}>
        {error !== null && form === 'itself' ? (
          <ViewerFailed error={appErrorOf(error)} onRetry={retry} />
        ) : isPending && form === 'itself' ? (
          <ViewerLoading />
        ) : shown === null ? (
          <ViewerFrame>
            <NoPreview why="unknown-type" />
          </ViewerFrame>
        ) : (
          <NestedViewProvider value={drawFile}>
            <Limited file={file} viewer={shown} isInside={isInside} lookBytes={lookBytes} />
          </NestedViewProvider>
        )}
      </FrameActionsProvider>
    </ObjectRefreshProvider>
  );
}

type EditableFile = ViewedFile & { readonly object: ViewedObject & { readonly etag: string } };

/** Returns true for the current version of an object, shown as stored, if the service can tell whether it has changed. */
function isEditable(file: ViewedFile): file is EditableFile {
  const { object, contentEncoding, source } = file;
  return (
    object !== null &&
    object.etag !== null &&
    object.ref.versionId === undefined &&
    contentEncoding === null &&
    source.sizeBytes <= largestTextBytes
  );
}

/**
 * Returns the viewer for a file. Reads the first bytes if type and name are not enough, or before showing it as text, since an
 * editor would lose bytes of other content.
 */
function useViewer(file: ViewedFile, isAsText: boolean) {
  const clue = viewerFactsOf(file.name, file.contentType, file.contentEncoding);
  const byNames = chooseViewer(viewers, clue);
  const asksHead = byNames === null && clue.encoding === null;
  const { data, error, refetch } = useRead(
    async (signal) => await file.source.read(0, sniffedBytes, signal),
    [],
    asksHead || isAsText,
  );
  const byHead = data === undefined ? null : chooseViewer(viewers, { ...clue, head: data });
  return {
    viewer: byNames ?? byHead,
    isTextInside: data !== undefined && looksLikeText(data),
    error: asksHead ? error : null,
    isPending: asksHead && data === undefined && error === null,
    retry: () => void refetch(),
  };
}

interface LimitedProps {
  readonly file: ViewedFile;
  readonly viewer: Viewer;
  readonly isInside: boolean;
  readonly lookBytes: number | null;
}

function Limited({ file, viewer, isInside, lookBytes }: LimitedProps) {
  const { t } = useTranslation();
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  const { component: View, limit } = viewer;
  const fixedBytes = limit.kind === 'bytes' ? limit.sizeBytes : null;
  /** Null for a viewer that opens files of any size. */
  const limitBytes =
    limit.kind === 'settings' ? Math.min(settings.previewLimitBytes, lookBytes ?? Infinity) : fixedBytes;
  const isForLarge = lookBytes !== null && limitBytes === lookBytes;
  const limitText = limitBytes === null ? '' : formatBytes(limitBytes);
  if (file.source.sizeBytes === 0)
    return (
      <ViewerFrame>
        <NoPreview why="empty" />
      </ViewerFrame>
    );
  if (limitBytes !== null && file.source.sizeBytes > limitBytes)
    return (
      <ViewerMessage
        title={t(isForLarge ? 'viewers.look.large' : 'viewers.none.too-large')}
        body={t(
          isForLarge
            ? 'viewers.look.largeBody'
            : limit.kind === 'settings'
              ? 'viewers.tooLargeBody'
              : 'viewers.tooLargeFixedBody',
          { limit: limitText },
        )}
      />
    );
  return (
    <div className={classes.view} data-viewer={viewer.id}>
      <Suspense fallback={<ViewerLoading />}>
        <View file={file} />
      </Suspense>
      {isInside || lookBytes !== null ? null : (
        <p className={classes.limit}>
          {limit.kind === 'first'
            ? t('viewers.limit.first', { limit: formatBytes(limit.sizeBytes) })
            : limitBytes === null
              ? t('viewers.limit.none')
              : t('viewers.limit.bytes', { limit: limitText })}
        </p>
      )}
    </div>
  );
}
