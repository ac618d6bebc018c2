import { Button, Center, Loader } from '@mantine/core';
import { Binary, Download, Eye, FileText, FileX, type LucideIcon, Pencil, RefreshCw } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import classes from '../viewers.module.css';
import { useObjectRefresh } from './viewer-hooks.ts';

/** Actions on any file, in every viewer. */
export interface FrameActions {
  /** Shows the file as text. Null if it is shown as text already. */
  readonly showAsText: (() => void) | null;
  /** Shows the bytes in hexadecimal. Null if they are shown already. */
  readonly showBytes: (() => void) | null;
  /** Returns to the viewer that matches the file. Null without a matching viewer. */
  readonly showAsItself: (() => void) | null;
  readonly download: (() => void) | null;
  /** Edits the file as text. Null if it is not text or cannot be saved. */
  readonly edit: (() => void) | null;
  /** True to show only the content, without buttons, since the preview around it has them. */
  readonly isBare?: boolean;
}

const Actions = createContext<FrameActions>({
  showAsText: null,
  showBytes: null,
  showAsItself: null,
  download: null,
  edit: null,
});

export const FrameActionsProvider = Actions.Provider;

export function useViewerActions(): FrameActions {
  return useContext(Actions);
}

interface ViewerFrameProps {
  /** The viewer's buttons. */
  readonly toolbar?: ReactNode;
  /** Shown before the common buttons. */
  readonly end?: ReactNode;
  /** Notes about content that is not shown, or shown differently than usual. */
  readonly notes?: readonly string[];
  /** The error for content that could not be read, shown below the rest, or null. */
  readonly failure?: ReadFailureProps | null;
  readonly children: ReactNode;
}

/** Shows a viewer's content with its buttons, the common buttons, and notes. */
export function ViewerFrame({ toolbar, end, notes, failure = null, children }: ViewerFrameProps) {
  const { isBare = false } = useViewerActions();
  return (
    <div className={classes.frame}>
      {isBare ? null : (
        <div className={classes.frameBar}>
          <div className={classes.ownTools}>{toolbar}</div>
          <div className={classes.commonTools}>
            {end}
            <FrameButtons />
          </div>
        </div>
      )}
      <Notes notes={notes ?? []} />
      <div className={classes.frameContent}>{children}</div>
      {failure === null ? null : (
        <div className={classes.failure}>
          <ReadFailure {...failure} />
        </div>
      )}
    </div>
  );
}

/** Notes above content. */
export function Notes({ notes }: { readonly notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} role="note" className={classes.frameNote}>
      {note}
    </p>
  ));
}

interface NestedFrameProps {
  /** Shown above the notes. */
  readonly header?: ReactNode;
  readonly notes: readonly string[];
  readonly children: ReactNode;
}

/** Shows content that was found inside a file, below notes about it. */
export function NestedFrame({ header, notes, children }: NestedFrameProps) {
  return (
    <div className={classes.nested}>
      <div>
        {header}
        <Notes notes={notes} />
      </div>
      <div className={classes.frameContent}>{children}</div>
    </div>
  );
}

/** "Edit", "Show as text" and "Download". */
export function FrameButtons() {
  const { t } = useTranslation();
  const { showAsText, showBytes, showAsItself, download, edit } = useViewerActions();
  return (
    <>
      <FrameButton label={t('viewers.edit.begin')} icon={Pencil} onClick={edit} />
      <FrameButton label={t('viewers.showAsText')} icon={FileText} onClick={showAsText} />
      <FrameButton label={t('viewers.showBytes')} icon={Binary} onClick={showBytes} />
      <FrameButton label={t('viewers.showAsItself')} icon={Eye} onClick={showAsItself} />
      <FrameButton label={t('viewers.download')} icon={Download} onClick={download} />
    </>
  );
}

interface FrameButtonProps {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Null hides the button. */
  readonly onClick: (() => void) | null;
}

/** A button of the frame. Its label is shown next to the icon if the viewer's buttons leave room. */
function FrameButton({ label, icon: Icon, onClick }: FrameButtonProps) {
  if (onClick === null) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={label}
      title={label}
      className={classes.frameButton ?? ''}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

export interface ReadFailureProps {
  readonly error: AppError;
  /** Resumes reading after the failure. Absent if a retry is not possible. */
  readonly onRetry?: (() => unknown) | undefined;
  readonly variant?: 'page' | 'line';
}

/** Says that bytes could not be read, and offers a retry. If the object has changed, offers its new version instead. */
export function ReadFailure({ error, onRetry, variant = 'line' }: ReadFailureProps) {
  const { t } = useTranslation();
  const refresh = useObjectRefresh();
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<AppError | null>(null);
  const readNew = async (read: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await read();
      setFailed(null);
    } catch (thrown) {
      setFailed(appErrorOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  const isChanged = error.reason === 'object-changed';
  return (
    <ErrorNotice
      variant={variant}
      permission="s3:GetObject"
      isReading
      error={failed ?? error}
      {...(isChanged || onRetry === undefined ? {} : { onRetry: () => void onRetry() })}
      actions={
        isChanged && refresh !== null ? (
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<RefreshCw size={14} aria-hidden />}
            onClick={() => void readNew(refresh)}
          >
            {t('viewers.readNew')}
          </Button>
        ) : undefined
      }
    />
  );
}

type ViewerFailedProps = Pick<ReadFailureProps, 'error' | 'onRetry'> &
  Pick<ViewerFrameProps, 'toolbar' | 'end'>;

/** Shown in place of a file that could not be read. */
export function ViewerFailed({ error, onRetry, end, toolbar }: ViewerFailedProps) {
  return (
    <ViewerFrame end={end} toolbar={toolbar}>
      <ReadFailure variant="page" error={error} onRetry={onRetry} />
    </ViewerFrame>
  );
}

interface ViewerMessageProps extends Pick<ViewerFrameProps, 'toolbar' | 'end'> {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly body?: string;
}

/** A message in place of a file's content, such as the reason why it is not shown. */
export function ViewerMessage({ icon: Icon = FileX, title, body, toolbar, end }: ViewerMessageProps) {
  return (
    <ViewerFrame toolbar={toolbar} end={end}>
      <EmptyState icon={<Icon size={28} />} title={title} body={body} />
    </ViewerFrame>
  );
}

/** Says that a decoder was stopped because of too much work. */
export function TooComplexNotice({ toolbar }: { readonly toolbar?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ViewerMessage
      toolbar={toolbar}
      title={t('viewers.columnar.tooComplex')}
      body={t('viewers.columnar.tooComplexBody')}
    />
  );
}

/** Shown while the first bytes or the viewer are loading. */
export function ViewerLoading(): ReactNode {
  const { t } = useTranslation();
  return (
    <Center role="status" aria-label={t('viewers.loading')}>
      <Loader size={28} aria-hidden />
    </Center>
  );
}
