import { Loader, Menu } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment, parentFolder } from '../../../shared/keys/paths.ts';
import {
  nodeId,
  restOf,
  useBucketList,
  useConnectionName,
  useConnections,
  useTreeFolders,
} from '../../features/connections/index.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { OpenMenu } from '../../ui/menu-button.tsx';
import { placedAt, useRenderedRows, useRowFocus } from '../../ui/table/rendered-rows.ts';
import { nextByName, useTypedText } from '../../ui/table/type-ahead.ts';
import { folderPlace, placeKey, type WindowPlace } from '../places/places.ts';
import classes from '../places/places.module.css';

/** A segment of the path: a connection, a bucket (with the prefix ''), or a folder. */
export type Segment =
  | { readonly kind: 'connection'; readonly connectionId: string }
  | {
      readonly kind: 'folder';
      readonly connectionId: string;
      readonly bucket: string;
      readonly prefix: string;
    };

interface SiblingsMenuProps {
  readonly segment: Segment;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
}

/** The separator before a segment of the path, which opens a menu of the segment's siblings. */
export function SiblingsMenu({ segment, name, isOpen, onOpen, onGo }: SiblingsMenuProps) {
  const { t } = useTranslation();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        // For mouse users; keyboard users press Arrow Down on the segment.
        tabIndex={-1}
        className={classes.slash}
        aria-label={t('objects.path.beside', { name })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={t('objects.path.beside', { name })}
        onClick={() => onOpen(!isOpen)}
      >
        {segment.kind === 'connection' ? (
          <ChevronDown size={13} aria-hidden />
        ) : (
          <ChevronRight size={13} aria-hidden />
        )}
      </button>
      {isOpen ? (
        <OpenMenu target={button} id={id} position="bottom-start" width={260} onClose={() => onOpen(false)}>
          <Menu.Dropdown mah="min(420px, var(--cooper-menu-room, 420px))">
            <Siblings segment={segment} onGo={onGo} />
          </Menu.Dropdown>
        </OpenMenu>
      ) : null}
    </>
  );
}

type OnGo = Pick<SiblingsMenuProps, 'onGo'>;

function Siblings({ segment, onGo }: OnGo & { readonly segment: Segment }) {
  if (segment.kind === 'connection')
    return <ConnectionsBeside connectionId={segment.connectionId} onGo={onGo} />;
  const parent = parentFolder(segment.prefix);
  return parent === null ? (
    <BucketsBeside {...segment} onGo={onGo} />
  ) : (
    <FoldersBeside {...segment} parent={parent} onGo={onGo} />
  );
}

function ConnectionsBeside({ connectionId, onGo }: OnGo & { readonly connectionId: string }) {
  const { data } = useConnections();
  const nameOf = useConnectionName();
  const entries = (data ?? []).map((connection) => ({
    name: nameOf(connection),
    isCurrent: connection.id === connectionId,
    place: { kind: 'connection', connectionId: connection.id } as const,
  }));
  return <Entries entries={entries} rest={data === undefined ? 'loading' : null} onGo={onGo} />;
}

type Place = Extract<Segment, { kind: 'folder' }>;

function BucketsBeside({ connectionId, bucket, onGo }: OnGo & Place) {
  const { data, error } = useBucketList(connectionId);
  const entries = useMemo(
    () =>
      (data?.buckets ?? []).map(({ name, startPrefix }) => ({
        name,
        isCurrent: name === bucket,
        place: folderPlace(connectionId, name, startPrefix),
      })),
    [data, connectionId, bucket],
  );
  const rest = data !== undefined ? null : error === null ? 'loading' : 'failed';
  return <Entries entries={entries} rest={rest} onGo={onGo} />;
}

function FoldersBeside(props: OnGo & Place & { readonly parent: string }) {
  const { connectionId, bucket, prefix, parent, onGo } = props;
  const node = useMemo(() => ({ connectionId, bucket, prefix: parent }), [connectionId, bucket, parent]);
  const nodes = useMemo(() => [node], [node]);
  const { states, more } = useTreeFolders(nodes);
  const state = states.get(nodeId(node)) ?? { kind: 'loading' };
  const prefixes = state.kind === 'known' ? state.prefixes : [prefix];
  const entries = prefixes.map((each) => ({
    name: lastSegment(each),
    isCurrent: each === prefix,
    place: folderPlace(connectionId, bucket, each),
  }));
  return <Entries entries={entries} rest={restOf(state)} onMore={() => more(node)} onGo={onGo} />;
}

interface Entry {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly place: WindowPlace;
}

interface EntriesProps extends OnGo {
  readonly entries: readonly Entry[];
  /** The state after the entries: complete, more to load, loading, or failed. */
  readonly rest: ReturnType<typeof restOf>;
  readonly onMore?: () => void;
}

/** The height of an entry in pixels, as in places.module.css. */
const entryPx = 28;
const moreId = 'more';

/**
 * Lists the siblings as plain buttons, since hundreds of Mantine's menu items would block the window. Renders only the
 * visible entries of a long list.
 */
function Entries({ entries, rest, onMore, onGo }: EntriesProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const typedText = useTypedText();
  const { focusedId, elements, onFocus, focus } = useRowFocus();
  const hasMore = rest !== null && rest !== 'loading';
  const ids = useMemo(() => entries.map(({ place }) => placeKey(place)), [entries]);
  const currentAt = entries.findIndex(({ isCurrent }) => isCurrent);
  const focusedAt = focusedId === moreId ? entries.length : ids.indexOf(focusedId ?? '');
  /** The number of rows that can have focus. */
  const count = entries.length + (hasMore && onMore !== undefined ? 1 : 0);
  const rendered = useRenderedRows(list, {
    rowCount: entries.length + (rest === null ? 0 : 1),
    rowPx: entryPx,
    pinned: [focusedAt, currentAt],
  });
  /** The position of the first entry of the page that the user requested. */
  const nextPageAt = useRef<number | null>(null);
  const focusAt = useEffectEvent((at: number): void => {
    focus(ids[at] ?? moreId);
  });
  useEffect(() => {
    // Focuses the entry of the current location first, and the first entry of a page that the user requested. If the user has
    // moved on, a page that loads later does not move focus back.
    const active = document.activeElement;
    const isAtMore = nextPageAt.current !== null && active === elements.current.get(moreId);
    if (entries.length === 0 || (list.current?.contains(active) === true && !isAtMore)) return;
    focusAt(nextPageAt.current ?? Math.max(currentAt, 0));
    nextPageAt.current = null;
  }, [currentAt, entries.length, elements]);
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = stepped(event.key, focusedAt, count) ?? typedTo(event, focusedAt);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    focus(ids[to] ?? moreId);
  };
  const typedTo = (event: KeyboardEvent, at: number): number | null => {
    const text = typedText(event);
    if (text === null) return null;
    const found = nextByName(
      entries.map(({ name }) => name),
      at,
      text,
    );
    return found === -1 ? at : found;
  };
  const rowProps = (id: string, index: number) =>
    ({
      ref: (element: HTMLButtonElement | null): void => {
        if (element === null) elements.current.delete(id);
        else elements.current.set(id, element);
      },
      type: 'button',
      role: 'menuitem',
      tabIndex: -1,
      className: joinClasses(common.cut, classes.sibling),
      // The focus trap of the menu starts a moment after the menu opens, and focuses the entry with this attribute.
      'data-autofocus': index === (focusedAt === -1 ? currentAt : focusedAt) || undefined,
      'aria-posinset': index + 1,
      'aria-setsize': rest === null ? entries.length : -1,
      onFocus: () => onFocus(id),
      ...placedAt(rendered.topOf(index)),
    }) as const;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the menu's entries
    <div
      ref={list}
      role="presentation"
      className={classes.siblingList}
      style={rendered.listStyle}
      onKeyDown={press}
    >
      {rendered.indexes.map((index) => {
        const entry = entries[index];
        const id = ids[index];
        if (entry === undefined || id === undefined) return null;
        return (
          <button
            key={id}
            {...rowProps(id, index)}
            aria-current={entry.isCurrent ? 'location' : undefined}
            onClick={() => onGo(entry.place)}
          >
            <KeyText name={entry.name} />
          </button>
        );
      })}
      {rest === 'loading' ? (
        <span
          className={joinClasses(common.row, common.quiet, classes.siblingsNote)}
          {...placedAt(rendered.topOf(entries.length))}
        >
          <Loader size={12} aria-hidden /> {t('common.loading')}
        </span>
      ) : null}
      {hasMore ? (
        <button
          {...rowProps(moreId, entries.length)}
          data-quiet
          disabled={onMore === undefined}
          onClick={() => {
            nextPageAt.current = entries.length;
            onMore?.();
          }}
        >
          {t(`objects.path.siblings.${rest}`)}
        </button>
      ) : null}
    </div>
  );
}

function stepped(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (Math.max(at, 0) + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
