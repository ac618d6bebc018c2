import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { WindowPlace } from '../places/places.ts';
import {
  useCommandEntries,
  usePlaceEntries,
  useRowEntries,
  type PaletteEntry,
  type PaletteGroup,
} from './palette-entries.ts';
import { matcherOf, unmarked, type Match } from './palette-match.ts';
import { takeEarlyKeys, type OverlayServices } from '../commands/overlay-store.ts';
import classes from './palette.module.css';

interface PaletteProps {
  readonly kind: 'commands' | 'places';
  readonly services: OverlayServices;
  readonly place: WindowPlace;
  readonly onClose: () => void;
}

/** The entries of a group shown before any text is typed. */
const maxOfGroup = 50;

/** Finds commands and places, or places and loaded rows, by a part of their names. */
export function PaletteDialog({ kind, services, place, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const { commands, onGo, loadedRows, onRow } = services;
  const isFolder = place.kind === 'folder';
  const ofCommands = useCommandEntries(commands, isFolder, onGo);
  const places = usePlaceEntries(place, onGo);
  const rows = useRowEntries(isFolder && kind === 'places' ? place.folder : null, loadedRows, onRow);
  const groups = kind === 'commands' ? [ofCommands, ...places.groups] : [...places.groups.toReversed(), rows];
  const placeholder = t(
    kind === 'commands' ? 'common.palette.placeholder' : 'common.palette.placesPlaceholder',
  );
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      size={600}
      padding={0}
      yOffset="10dvh"
      attributes={{
        content: {
          'aria-label': t(kind === 'commands' ? 'common.shell.palette' : 'common.palette.quickOpen'),
        },
      }}
    >
      <Chooser
        groups={groups.filter(({ entries }) => entries.length > 0)}
        isWhole={places.isWhole}
        placeholder={placeholder}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface ChooserProps {
  readonly groups: readonly PaletteGroup[];
  /** True once all entries have loaded. */
  readonly isWhole: boolean;
  readonly placeholder: string;
  readonly onClose: () => void;
}

interface Shown {
  /** null: one list of matches, the best first. */
  readonly name: string | null;
  /** Index of its first match in the whole list. */
  readonly first: number;
  readonly matches: readonly Match<PaletteEntry>[];
}

function Chooser({ groups, isWhole, placeholder, onClose }: ChooserProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState(0);
  const shown = useShown(groups, typed);
  const all = shown.flatMap(({ matches }) => matches);
  const active = Math.min(wanted, all.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- when another one is chosen
  }, [active, typed]);

  const choose = (entry: PaletteEntry): void => {
    onClose();
    entry.run();
  };
  /** Enter was pressed before the entries had loaded. */
  const [isSent, setSent] = useState(false);
  const stable = useStable({
    send: () => {
      setSent(false);
      const entry = all[active]?.entry;
      if (entry !== undefined) choose(entry);
    },
  });
  useEffect(() => {
    if (isSent && isWhole) stable.send();
  }, [isSent, isWhole, stable]);
  const press = (event: KeyboardEvent): void => {
    const next = movedTo(event.key, active, all.length);
    const entry = all[active]?.entry;
    setSent(false);
    if (next !== null) setWanted(next);
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    else if (entry !== undefined) choose(entry);
    else if (isWhole) return;
    else setSent(true);
    event.preventDefault();
  };
  return (
    <>
      <div className={classes.field}>
        <Search size={18} aria-hidden />
        <input
          role="combobox"
          data-autofocus
          aria-label={placeholder}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${id}-${String(active)}`}
          placeholder={placeholder}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWanted(0);
          }}
          onKeyDown={press}
          onFocus={() => {
            const early = takeEarlyKeys();
            if (early.text !== '') setTyped((before) => before + early.text);
            setSent(early.isSent);
          }}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={placeholder} className={classes.list}>
        {shown.map(({ name, first, matches }) => {
          const options = matches.map((match, at) => (
            <Option
              key={match.entry.id}
              id={`${id}-${String(first + at)}`}
              match={match}
              isActive={first + at === active}
              onChoose={choose}
            />
          ));
          return name === null ? (
            options
          ) : (
            <div key={name} role="group" aria-label={name}>
              <div className={classes.group} aria-hidden>
                {name}
              </div>
              {options}
            </div>
          );
        })}
      </div>
      {all.length === 0 || isSent ? (
        <p className={classes.nothing} role="status">
          {t(isWhole ? 'common.palette.nothing' : 'common.loading')}
        </p>
      ) : null}
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly match: Match<PaletteEntry>;
  readonly isActive: boolean;
  readonly onChoose: (entry: PaletteEntry) => void;
}

function Option({ id, match: { entry, marked }, isActive, onChoose }: OptionProps) {
  const { label, detail, keys, icon: Icon } = entry;
  return (
    // The field has focus, and its keys choose.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onClick={() => {
        onChoose(entry);
      }}
    >
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      <span className={classes.label}>
        {marked.size === 0 ? label : <Marked text={label} marked={marked} />}
        {detail === undefined ? null : <span className={classes.detail}> {detail}</span>}
      </span>
      {keys === undefined ? null : <kbd className={classes.keys}>{shortcutText(keys)}</kbd>}
    </div>
  );
}

/** The text with runs of marked characters in bold. */
function Marked({ text, marked }: { readonly text: string; readonly marked: ReadonlySet<number> }) {
  const runs: { start: number; text: string; isMarked: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const isMarked = marked.has(at);
    const last = runs.at(-1);
    if (last?.isMarked === isMarked) last.text += text.charAt(at);
    else runs.push({ start: at, text: text.charAt(at), isMarked });
  }
  return runs.map((run) => (run.isMarked ? <mark key={run.start}>{run.text}</mark> : run.text));
}

/** Returns groups while the text is empty, otherwise one list. */
function useShown(groups: readonly PaletteGroup[], typed: string): readonly Shown[] {
  const text = typed.trim();
  const all = groups.flatMap(({ entries }) => entries);
  // The groups are new objects on every render, but their entries rarely change.
  const key = all.map(({ id, label }) => `${id}\n${label}`).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const matches = useMemo(() => matcherOf(all), [key]);
  if (text !== '') return [{ name: null, first: 0, matches: matches(text) }];
  let first = 0;
  const shown: Shown[] = [];
  for (const { name, entries } of groups) {
    const few = entries.slice(0, maxOfGroup).map(unmarked);
    shown.push({ name, first, matches: few });
    first += few.length;
  }
  return shown;
}

function movedTo(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count;
    case 'ArrowUp':
      return (active - 1 + count) % count;
    case 'PageDown':
      return Math.min(active + 8, count - 1);
    case 'PageUp':
      return Math.max(active - 8, 0);
    default:
      return null;
  }
}
