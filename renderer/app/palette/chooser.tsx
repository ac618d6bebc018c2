import { Box } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import { useStable } from '../../ui/use-stable.ts';
import { takeEarlyKeys } from '../commands/overlay-store.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts';
import { matcherOf, scatteredLast, unmarked, type Match } from './palette-match.ts';
import { entryMovedTo, shownOf, type Shown } from './shown-entries.ts';
import type { QuickOpen } from './use-quick-open.ts';
import classes from './palette.module.css';

interface ChooserProps {
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly groups: readonly PaletteGroup[];
  /** Adds addresses and names from catalogues to the matches. If absent, only the groups are searched. */
  readonly quick?: QuickOpen;
  /** True once all groups have loaded. */
  readonly isWhole: boolean;
  readonly placeholder: string;
  readonly onClose: () => void;
}

/** Shows a field, and the entries that match its text. Arrow keys and Enter choose an entry. */
export function Chooser({ typed, onTyped, groups, quick, isWhole, placeholder, onClose }: ChooserProps) {
  const { t } = useTranslation();
  const id = useId();
  /** The entry to which the user moved, or null for the first entry. */
  const [movedToId, setMovedToId] = useState<string | null>(null);
  const shown = useShown(groups, quick, typed);
  const listed = shown.flatMap(({ matches }) => matches);
  const all = listed.map(({ entry }) => entry);
  const active = activeIndex(all, movedToId);
  const list = useRef<HTMLDivElement>(null);
  const isScrollable = useRef(false);
  useEffect(() => {
    // The first entry is visible when the palette opens. Scrolling to it would lay out all entries in the task that renders them.
    if (isScrollable.current)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    isScrollable.current = true;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run when another entry becomes active
  }, [active, typed]);

  const choose = (entry: PaletteEntry): void => {
    if (entry.staysOpen !== true) onClose();
    entry.run();
  };
  /** True if Enter was pressed before an entry was found. The first entry found is then chosen. */
  const [isSent, setSent] = useState(false);
  const entry = all[active];
  // While results may still arrive, Enter waits for a better one than scattered letters or the last line ("search everything").
  const isWeak = listed[active]?.isScattered === true || entry?.id === quick?.search?.id;
  const isFallback = entry === undefined || (isWeak && movedToId === null);
  const isWaiting = isFallback && (!isWhole || quick?.isSearching === true);
  const stable = useStable({
    send: () => {
      setSent(false);
      if (entry !== undefined) choose(entry);
    },
  });
  useEffect(() => {
    if (isSent && !isWaiting) stable.send();
  }, [isSent, isWaiting, stable]);
  const press = (event: KeyboardEvent): void => {
    const next = entryMovedTo(event.key, active, all.length);
    setSent(false);
    if (next !== null) setMovedToId(all[next]?.id ?? null);
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    else if (isWaiting) setSent(true);
    else if (entry !== undefined) choose(entry);
    event.preventDefault();
  };
  return (
    <>
      <div className={joinClasses(common.row, common.quiet, common.lineBelow, classes.field)}>
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
            onTyped(event.currentTarget.value);
            setMovedToId(null);
          }}
          onKeyDown={press}
          onFocus={() => {
            const early = takeEarlyKeys();
            if (early.text !== '') onTyped(early.replacesAll ? early.text : typed + early.text);
            setSent(early.isSent);
          }}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={placeholder} className={classes.list}>
        {shown.map(({ key, name, first, matches }) => {
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
            <div key={key} role="group" aria-label={name}>
              <Box pt={10} pb={4} px={10} c="dimmed" fz="xs" fw={600} aria-hidden>
                {name}
              </Box>
              {options}
            </div>
          );
        })}
      </div>
      <Status
        text={
          isSent || (all.length === 0 && !isWhole)
            ? t('common.loading')
            : quick?.isSearching === true
              ? t('palette.searching')
              : all.length === 0
                ? t('common.palette.nothing')
                : null
        }
      />
    </>
  );
}

function Status({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p className={classes.nothing} role="status">
      {text}
    </p>
  );
}

/** Returns the index of the active entry, or -1. A destructive command is active only if the user moves to it. */
function activeIndex(all: readonly PaletteEntry[], movedToId: string | null): number {
  const at = movedToId === null ? -1 : all.findIndex(({ id }) => id === movedToId);
  if (at !== -1) return at;
  return all[0] === undefined || all[0].kind === 'destructive' ? -1 : 0;
}

/**
 * Returns the groups while the text is empty. Otherwise returns the matches: addresses, entries in the groups, names from
 * catalogues, and last the line that searches everything.
 */
function useShown(
  groups: readonly PaletteGroup[],
  quick: QuickOpen | undefined,
  typed: string,
): readonly Shown[] {
  const all = groups.flatMap(({ entries }) => entries);
  // The groups are new objects on every render, but their entries rarely change. The matcher therefore depends on the entries
  // alone.
  const key = all.map(({ id, label }) => `${id}\n${label}`).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const matches = useMemo(() => matcherOf(all), [key]);
  const found = quick?.found.entries;
  const matchesFound = useMemo(() => matcherOf(found ?? []), [found]);
  if (typed.trim() === '')
    return shownOf(groups.map(({ name, entries }) => ({ name, matches: entries.map(unmarked) })));
  const local = matches(typed);
  const localIds = new Set(local.map(({ entry }) => entry.id));
  return shownOf([
    { name: null, matches: (quick?.addresses ?? []).map(unmarked) },
    ...scatteredLast([
      { name: null, matches: local },
      {
        name: quick?.found.name ?? null,
        matches: matchesFound(typed).filter(({ entry }) => !localIds.has(entry.id)),
      },
    ]),
    { name: null, matches: [quick?.search ?? []].flat().map(unmarked) },
  ]);
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
    // The field keeps focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={joinClasses(common.row, classes.option)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      <span className={joinClasses(common.label, classes.label)}>
        {marked.size === 0 ? label : <Marked text={label} marked={marked} />}
        {detail === undefined ? null : <span className={classes.detail}> {detail}</span>}
      </span>
      {keys === undefined ? null : <kbd className={classes.keys}>{shortcutText(keys)}</kbd>}
    </div>
  );
}

/** Renders the text with the marked characters in bold. */
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
