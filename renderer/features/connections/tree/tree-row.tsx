import { Loader } from '@mantine/core';
import {
  Archive,
  Bookmark,
  ChevronRight,
  CircleAlert,
  Ellipsis,
  Folder,
  HardDrive,
  Server,
  TextCursorInput,
} from 'lucide-react';
import { useState, type DragEvent, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../../shared/keys/display.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { dropPlace } from '../../../ui/drop/drop-place.ts';
import { errorWords } from '../../../ui/words/error-words.ts';
import { useConnectionName } from '../model/connection-queries.ts';
import type { SidebarExtra } from '../model/connection-places.ts';
import common from '../../../ui/common.module.css';
import classes from '../connections.module.css';
import { isNode, type Note, type ConnectionTreeRow } from '../model/tree-model.ts';

interface Props {
  readonly row: ConnectionTreeRow;
  readonly extra: SidebarExtra | null;
  /** The position of the row in a long tree, of which only the visible rows are rendered. Null in a short tree. */
  readonly topPx: number | null;
  readonly current: boolean;
  readonly tabbable: boolean;
  readonly ref: Ref<HTMLDivElement>;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onActivate: () => void;
  readonly onToggle: (open: boolean) => void;
  readonly onMenu: (event: MouseEvent) => void;
  /** The id of the connection that is being dragged, or null. */
  readonly dragged: string | null;
  readonly onDrag: (connectionId: string | null) => void;
  readonly onDrop: (connectionId: string, side: 'before' | 'after') => void;
}

const indentPx = 14;
/** Width of a chevron and the gap after it. */
const chevronPx = 22;

function levelOf(row: ConnectionTreeRow): number {
  if (row.kind === 'connection') return 1;
  return 'level' in row ? row.level : 2;
}

export function TreeRowView(props: Props) {
  const { row, topPx, current, tabbable, ref, onFocus, onKeyDown, onActivate, onMenu } = props;
  const drop = useDropTarget(props);
  const level = levelOf(row);
  return (
    <div
      ref={ref}
      role="treeitem"
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={isNode(row) ? row.expanded : undefined}
      aria-selected={current}
      aria-current={current ? 'page' : undefined}
      tabIndex={tabbable ? 0 : -1}
      className={joinClasses(common.row, classes.row)}
      data-kind={row.kind}
      data-drop={drop.side ?? undefined}
      data-placed={topPx === null ? undefined : true}
      style={{
        paddingInlineStart: 6 + (level - 1) * indentPx + (isNode(row) ? 0 : chevronPx),
        ...(topPx === null ? {} : { top: topPx }),
      }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onActivate}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(event);
      }}
      {...drop.handlers}
      {...(row.kind === 'bucket'
        ? dropPlace({ connectionId: row.connectionId, bucket: row.bucket.name, folder: '' })
        : row.kind === 'folder'
          ? dropPlace({ connectionId: row.connectionId, bucket: row.bucket, folder: row.prefix })
          : {})}
    >
      <RowContent {...props} />
    </div>
  );
}

function RowContent({ row, extra, onToggle, onMenu }: Props) {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  switch (row.kind) {
    case 'connection': {
      const { connection, expanded } = row;
      const Icon = connection.builtIn ? HardDrive : Server;
      const about = connection.builtIn ? t('connections.sidebar.builtInBadge') : connection.endpoint;
      return (
        <>
          <Chevron expanded={expanded} onToggle={onToggle} />
          <Icon size={16} aria-hidden className={classes.icon} />
          <span className={common.label} title={`${nameOf(connection)}\n${about}`}>
            {nameOf(connection)}
          </span>
          <MoreButton onMenu={onMenu} />
        </>
      );
    }
    case 'bucket': {
      const typed = row.bucket.source === 'typed';
      return (
        <>
          <Chevron expanded={row.expanded} onToggle={onToggle} />
          <Archive size={15} aria-hidden className={classes.icon} />
          <span className={common.label} title={row.bucket.name}>
            {row.bucket.name}
          </span>
          {typed ? (
            <span
              className={joinClasses(common.quiet, common.fixed, classes.badge)}
              title={t('connections.sidebar.typedBadge')}
            >
              <Bookmark size={12} aria-hidden />
              <span className={classes.hiddenText}>{t('connections.sidebar.typedBadge')}</span>
            </span>
          ) : null}
          <MoreButton onMenu={onMenu} />
        </>
      );
    }
    case 'folder':
      return (
        <>
          <Chevron expanded={row.expanded} onToggle={onToggle} />
          <Folder size={15} aria-hidden className={classes.icon} />
          <span className={common.label} title={row.prefix}>
            <KeyText name={lastSegment(row.prefix)} />
          </span>
        </>
      );
    case 'more': {
      const name = row.prefix === '' ? row.bucket : lastSegment(row.prefix);
      const text = t(`connections.sidebar.folders.${row.state}`);
      return (
        <>
          {row.state === 'loading' || row.state === 'looking' ? <Loader size={13} aria-hidden /> : null}
          <span className={common.label} title={`${nameText(name, t('common.keyText.empty'))}: ${text}`}>
            {text}
          </span>
          {row.state === 'failed' || row.state === 'looking' ? (
            <span className={joinClasses(common.good, common.fixed, classes.action)}>
              {t(row.state === 'failed' ? 'connections.sidebar.retry' : 'common.stop')}
            </span>
          ) : null}
        </>
      );
    }
    case 'extra':
      return extra?.render(row.connectionId);
    case 'note':
      return <NoteContent note={row.note} />;
    default:
      return assertNever(row);
  }
}

interface ChevronProps {
  readonly expanded: boolean;
  readonly onToggle: (open: boolean) => void;
}

/** Expands or collapses a row by mouse. Keyboard users press Left and Right. */
function Chevron({ expanded, onToggle }: ChevronProps) {
  return (
    <span
      className={joinClasses(common.quiet, common.fixed, classes.chevron)}
      data-open={expanded || undefined}
      aria-hidden
      onClick={(event) => {
        event.stopPropagation();
        onToggle(!expanded);
      }}
    >
      <ChevronRight size={14} />
    </span>
  );
}

/** Opens the row's menu by mouse. Keyboard users press the Menu key, since they could not reach a button within a tree item. */
function MoreButton({ onMenu }: { readonly onMenu: (event: MouseEvent) => void }) {
  return (
    <span
      className={joinClasses(common.quiet, common.fixed, classes.more)}
      aria-hidden
      onClick={(event) => {
        event.stopPropagation();
        onMenu(event);
      }}
    >
      <Ellipsis size={15} />
    </span>
  );
}

function NoteContent({ note }: { readonly note: Note }) {
  const { t } = useTranslation();
  switch (note.kind) {
    case 'loading':
      return (
        <>
          <Loader size={13} aria-hidden />
          <span className={common.label}>{t('connections.sidebar.loading')}</span>
        </>
      );
    case 'no-buckets':
      return <span className={common.label}>{t('connections.sidebar.noBuckets')}</span>;
    case 'open-by-name':
      return (
        <>
          <TextCursorInput size={15} aria-hidden className={classes.icon} />
          <span className={common.label} title={t('connections.sidebar.deniedExplained')}>
            {t('connections.sidebar.openByName')}
          </span>
        </>
      );
    case 'failed':
      return (
        <>
          <CircleAlert size={15} aria-hidden className={joinClasses(common.bad, common.fixed)} />
          <span className={common.label} title={t(`${errorWords(note.error)}.title`)}>
            {t('connections.sidebar.failed')}
          </span>
          <span className={joinClasses(common.good, common.fixed, classes.action)}>
            {t('connections.sidebar.retry')}
          </span>
        </>
      );
    default:
      return assertNever(note);
  }
}

const dragType = 'application/x-cooper-connection';

function sideOf(event: DragEvent): 'before' | 'after' {
  const box = event.currentTarget.getBoundingClientRect();
  return event.clientY < box.top + box.height / 2 ? 'before' : 'after';
}

/** Returns handlers that reorder connections by dragging, and the side of the row for the insertion line. */
function useDropTarget({ row, dragged, onDrag, onDrop }: Props) {
  const [side, setSide] = useState<'before' | 'after' | null>(null);
  if (row.kind !== 'connection' || row.connection.builtIn) return { side: null, handlers: {} };
  const { id } = row.connection;
  return {
    side: dragged === null || dragged === id ? null : side,
    handlers: {
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.setData(dragType, id);
        event.dataTransfer.effectAllowed = 'move';
        onDrag(id);
      },
      onDragEnd: () => onDrag(null),
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        setSide(sideOf(event));
      },
      onDragLeave: () => setSide(null),
      onDrop: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        setSide(null);
        onDrag(null);
        onDrop(dragged, sideOf(event));
      },
    },
  } as const;
}
