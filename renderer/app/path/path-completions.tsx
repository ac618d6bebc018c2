import { Portal } from '@mantine/core';
import { Archive, Folder, Server } from 'lucide-react';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import {
  useAllBucketStates,
  useConnectionName,
  useConnections,
  useFoldersBelow,
} from '../../features/connections/index.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { popupsId } from '../../ui/theme/theme.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import {
  completed,
  addressLevelOf,
  suggestionsFor,
  type AddressLevel,
  type Suggestion,
} from './path-suggestions.ts';
import common from '../../ui/common.module.css';
import classes from '../places/places.module.css';

export interface CompletionsHandle {
  /** Handles a key in the field. Returns true if the list used the key. */
  press(event: KeyboardEvent): boolean;
}

interface PathCompletionsProps {
  readonly ref: Ref<CompletionsHandle>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** The connection to which the address belongs, or null for any connection. */
  readonly connectionId: string | null;
  /** Replaces the text. `connectionId` is the connection to which the accepted name belongs. */
  readonly onText: (text: string, connectionId: string | null) => void;
}

/** Shows the connections, buckets or folders that continue a typed address. Tab accepts a suggestion. */
export function PathCompletions(props: PathCompletionsProps) {
  const { ref, field, text, connectionId, onText } = props;
  const { t } = useTranslation();
  const level = useMemo(() => addressLevelOf(text), [text]);
  const suggestions = useSuggestions(level, connectionId);
  /** The suggestion to which an arrow key moved, or null for the first suggestion, which only Tab accepts. */
  const [moved, setMoved] = useState<number | null>(null);
  const [shownFor, setShownFor] = useState(text);
  if (shownFor !== text) {
    setShownFor(text);
    setMoved(null);
  }
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(moved ?? 0, suggestions.length - 1);
  const accept = (at: number): void => {
    const suggestion = suggestions[at];
    if (suggestion === undefined || level === null) return;
    if (suggestion.kind === 'connection') onText('', suggestion.connectionId);
    else
      onText(
        completed(text, level, suggestion.name),
        suggestion.kind === 'bucket' ? suggestion.connectionId : connectionId,
      );
  };
  const press = (event: KeyboardEvent): boolean => {
    if (suggestions.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return false;
    switch (event.key) {
      case 'ArrowDown':
        setMoved(moved === null ? 0 : (moved + 1) % suggestions.length);
        break;
      case 'ArrowUp':
        setMoved(moved === null || moved === 0 ? suggestions.length - 1 : moved - 1);
        break;
      case 'Tab':
        if (event.shiftKey) return false;
        accept(active);
        break;
      case 'Enter':
        if (moved === null) return false;
        accept(active);
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  };
  useImperativeHandle(ref, () => ({ press }));
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run when another suggestion becomes active
  }, [active]);
  useDescribedField(field, suggestions.length > 0, moved === null ? null : active);
  const position = usePositionBelow(field);
  if (suggestions.length === 0 || position === null) return null;
  return (
    <Portal target={`#${popupsId}`}>
      {/* The field keeps focus and handles the keys. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('palette.completions')}
        className={joinClasses(common.framed, classes.completions)}
        style={position}
        onMouseDown={(event) => event.preventDefault()}
      >
        {suggestions.map((suggestion, at) => (
          // The field keeps focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={`${suggestion.kind} ${'connectionId' in suggestion ? suggestion.connectionId : ''} ${suggestion.name}`}
            id={optionId(at)}
            role="option"
            aria-selected={at === active}
            className={joinClasses(common.row, classes.completion)}
            data-moved={moved === at || undefined}
            onClick={() => accept(at)}
          >
            <SuggestionIcon kind={suggestion.kind} />
            <span className={common.label}>
              <KeyText name={suggestion.name} />
            </span>
            {suggestion.kind === 'bucket' && suggestion.connectionName !== null ? (
              <span className={joinClasses(common.hint, common.fixed, classes.completionDetail)}>
                {suggestion.connectionName}
              </span>
            ) : null}
            {at === active ? (
              <kbd className={joinClasses(common.hint, common.fixed, classes.completionDetail)}>
                {shortcutText('Tab')}
              </kbd>
            ) : null}
          </div>
        ))}
      </div>
    </Portal>
  );
}

const listId = 'path-completions';
const optionId = (at: number): string => `${listId}-${String(at)}`;

const suggestionIcons = { connection: Server, bucket: Archive, folder: Folder } as const;

function SuggestionIcon({ kind }: Pick<Suggestion, 'kind'>) {
  const Icon = suggestionIcons[kind];
  return <Icon size={14} aria-hidden />;
}

/** Returns suggestions for the address. Lists a folder only if neither the tree nor a page has listed it. */
function useSuggestions(level: AddressLevel | null, connectionId: string | null): readonly Suggestion[] {
  const nameOf = useConnectionName();
  const { data: connections = [] } = useConnections();
  const lists = useAllBucketStates(connections);
  const bucket = level?.kind === 'folder' ? level.bucket : null;
  const folder = level?.kind === 'folder' ? level.folder : '';
  const owner =
    connectionId ??
    connections.find(({ id }) => {
      const state = lists.get(id);
      return state?.kind === 'known' && state.buckets.some(({ name }) => name === bucket);
    })?.id ??
    null;
  const isSettled = useSettled(bucket === null ? null : `${bucket}/${folder}`);
  const folders = useFoldersBelow(
    bucket === null || owner === null || !isSettled ? null : { connectionId: owner, bucket, prefix: folder },
  );
  if (level === null) return [];
  if (level.kind === 'folder')
    return suggestionsFor(
      level.typed,
      folders.map((prefix) => ({ kind: 'folder', name: lastSegment(prefix) })),
    );
  const buckets = connections
    .filter(({ id }) => connectionId === null || id === connectionId)
    .flatMap((connection): readonly Suggestion[] => {
      const state = lists.get(connection.id);
      const names = state?.kind === 'known' ? state.buckets : [];
      const connectionName = connectionId === null ? nameOf(connection) : null;
      return names.map(({ name }) => ({ kind: 'bucket', connectionId: connection.id, connectionName, name }));
    });
  const others = connections
    .filter(({ id }) => id !== connectionId)
    .map((connection): Suggestion => ({
      kind: 'connection',
      connectionId: connection.id,
      name: nameOf(connection),
    }));
  return suggestionsFor(level.typed, [...buckets, ...others]);
}

/** Milliseconds before a folder is listed. An address that is pasted and opened at once is thus listed only by its page. */
const settleMs = 150;

/** Returns true once the location has stayed the same for a moment. */
function useSettled(place: string | null): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(place);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [place]);
  return settled === place;
}

/** Announces the list and its active entry to assistive technology through ARIA attributes on the field, which keeps focus. */
function useDescribedField(
  field: RefObject<HTMLInputElement | null>,
  isOpen: boolean,
  active: number | null,
): void {
  useEffect(() => {
    const input = field.current;
    if (input === null) return undefined;
    input.setAttribute('aria-autocomplete', 'list');
    if (isOpen) input.setAttribute('aria-controls', listId);
    if (isOpen && active !== null) input.setAttribute('aria-activedescendant', optionId(active));
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant'])
        input.removeAttribute(name);
    };
  }, [field, isOpen, active]);
}

interface PositionBelow {
  readonly left: number;
  readonly top: number;
  readonly minWidth: number;
}

/** Returns the position below the field, updated when the window is resized. */
function usePositionBelow(field: RefObject<HTMLInputElement | null>): PositionBelow | null {
  const [position, setPosition] = useState<PositionBelow | null>(null);
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = field.current?.getBoundingClientRect();
      setPosition(
        box === undefined
          ? null
          : { left: box.left, top: box.bottom + 4, minWidth: Math.min(box.width, 420) },
      );
    };
    measure();
    const input = field.current;
    if (input === null) return undefined;
    // The field also moves when the sidebar opens or closes.
    const observer = new ResizeObserver(measure);
    observer.observe(input);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [field]);
  return position;
}
