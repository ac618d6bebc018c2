import { Loader, Menu } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/assert-never.ts';
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
import { OpenMenu } from '../../ui/menu-button.tsx';
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
        onClick={() => {
          onOpen(!isOpen);
        }}
      >
        {segment.kind === 'connection' ? (
          <ChevronDown size={13} aria-hidden />
        ) : (
          <ChevronRight size={13} aria-hidden />
        )}
      </button>
      {isOpen ? (
        <OpenMenu
          target={button}
          id={id}
          position="bottom-start"
          width={260}
          onClose={() => {
            onOpen(false);
          }}
        >
          <Menu.Dropdown className={classes.siblings ?? ''}>
            <Siblings segment={segment} onGo={onGo} />
          </Menu.Dropdown>
        </OpenMenu>
      ) : null}
    </>
  );
}

type OnGo = Pick<SiblingsMenuProps, 'onGo'>;

function Siblings({ segment, onGo }: OnGo & { readonly segment: Segment }) {
  switch (segment.kind) {
    case 'connection':
      return <ConnectionsBeside connectionId={segment.connectionId} onGo={onGo} />;
    case 'folder': {
      const parent = parentFolder(segment.prefix);
      return parent === null ? (
        <BucketsBeside {...segment} onGo={onGo} />
      ) : (
        <FoldersBeside {...segment} parent={parent} onGo={onGo} />
      );
    }
    default:
      return assertNever(segment);
  }
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
  const entries = (data?.buckets ?? []).map(({ name, startPrefix }) => ({
    name,
    isCurrent: name === bucket,
    place: folderPlace(connectionId, name, startPrefix),
  }));
  const rest = data !== undefined ? null : error === null ? 'loading' : 'failed';
  return <Entries entries={entries} rest={rest} onGo={onGo} />;
}

function FoldersBeside({
  connectionId,
  bucket,
  prefix,
  parent,
  onGo,
}: OnGo & Place & { readonly parent: string }) {
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
  return (
    <Entries
      entries={entries}
      rest={restOf(state)}
      onMore={() => {
        more(node);
      }}
      onGo={onGo}
    />
  );
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

/** Lists the siblings as plain buttons, since hundreds of Mantine's menu items would block the window. */
function Entries({ entries, rest, onMore, onGo }: EntriesProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const typedText = useTypedText();
  const focus = (at: number): void => {
    const buttons = buttonsOf(list.current);
    // The focus trap of the menu starts a moment after the menu opens, and focuses the entry with this attribute.
    for (const [index, button] of buttons.entries()) button.toggleAttribute('data-autofocus', index === at);
    buttons[at]?.focus();
  };
  const currentAt = entries.findIndex(({ isCurrent }) => isCurrent);
  useEffect(() => {
    // Focuses the entry of the current location first. If the user has moved on, a page that loads later does not move focus
    // back.
    const buttons = buttonsOf(list.current);
    if (!buttons.includes(document.activeElement as HTMLButtonElement))
      buttons[Math.max(currentAt, 0)]?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- again for each page
  }, [currentAt, entries.length]);
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = buttonsOf(list.current);
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = stepped(event.key, at, buttons.length) ?? typedTo(event, at);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    focus(to);
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
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the menu's entries
    <div ref={list} role="presentation" onKeyDown={press}>
      {entries.map(({ name, isCurrent, place }) => (
        <button
          key={placeKey(place)}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-current={isCurrent ? 'location' : undefined}
          // Otherwise the focus trap would focus the first entry.
          data-autofocus={isCurrent || undefined}
          className={classes.sibling}
          onClick={() => {
            onGo(place);
          }}
        >
          <KeyText name={name} />
        </button>
      ))}
      {rest === 'loading' ? (
        <span className={classes.siblingsNote}>
          <Loader size={12} aria-hidden /> {t('common.loading')}
        </span>
      ) : null}
      {rest !== null && rest !== 'loading' ? (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={classes.sibling}
          data-quiet
          disabled={onMore === undefined}
          onClick={onMore}
        >
          {t(`objects.path.siblings.${rest}`)}
        </button>
      ) : null}
    </div>
  );
}

function buttonsOf(list: HTMLElement | null): readonly HTMLButtonElement[] {
  return [...(list?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])];
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
