import { Loader, TextInput } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress } from '../../../shared/keys/s3-link.ts';
import { isCommand } from '../../ui/keyboard/commands.ts';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { connectionOf } from '../places/places.ts';
import type { CompletionsHandle } from './path-completions.tsx';
import { type PathBarProps, Crumbs } from './crumbs.tsx';

/** Shows the path of this tab as breadcrumbs, or as a field while it is edited. */
export function PathBar(props: PathBarProps) {
  const { isEditing } = props;
  // The breadcrumbs stay mounted while a path is typed, since new elements would delay the rows of an opening folder.
  return (
    <>
      {isEditing ? <PathField {...props} /> : null}
      <Crumbs {...props} />
    </>
  );
}

const slowMs = 150;

const PathCompletions = lazyComponent(async () => (await import('./path-completions.tsx')).PathCompletions);

function PathField({ place, onEdit, onAddress }: PathBarProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() =>
    place.kind === 'folder'
      ? formatAddress({ bucket: place.bucket, prefix: place.folder + place.startsWith })
      : '',
  );
  const [wrong, setWrong] = useState<'invalid' | 'elsewhere' | null>(null);
  /** True while the address is being opened. Completions are hidden then, since they would send the same listing again. */
  const [isOpening, setOpening] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const lookup = useRef<AbortController | null>(null);
  const completions = useRef<CompletionsHandle>(null);
  /** The connection of an accepted completion, or null for the connection of the current location. */
  const [completedIn, setCompletedIn] = useState<string | null>(null);
  useEffect(() => {
    field.current?.select();
  }, []);
  const dropLookup = (): void => {
    lookup.current?.abort();
    lookup.current = null;
    setOpening(false);
    setLooking(false);
  };
  const submit = async (): Promise<void> => {
    dropLookup();
    const { signal } = (lookup.current = new AbortController());
    setOpening(true);
    const { readTyped } = await import('./read-typed.ts');
    if (signal.aborted) return;
    const address = readTyped(text);
    setWrong(address === null ? 'invalid' : null);
    if (address === null) {
      dropLookup();
      return;
    }
    // Delays the spinner, since most addresses resolve without a request and rendering one would slow them down.
    const slow = setTimeout(setLooking, slowMs, true);
    signal.addEventListener('abort', () => clearTimeout(slow));
    const leave = (): void => {
      clearTimeout(slow);
      onEdit(false);
    };
    const isKnown = await onAddress(address, completedIn, leave, signal);
    if (isKnown || signal.aborted) return;
    dropLookup();
    setWrong('elsewhere');
  };
  const change = (next: string): void => {
    setText(next);
    setWrong(null);
    dropLookup();
  };
  return (
    <>
      <TextInput
        ref={field}
        value={text}
        aria-label={t('objects.path.field')}
        placeholder={t('objects.path.field')}
        error={wrong === null ? null : t(`objects.path.${wrong}`)}
        spellCheck={false}
        autoComplete="off"
        flex={1}
        rightSection={isLooking ? <Loader size={14} aria-label={t('objects.path.looking')} /> : null}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          if (lookup.current === null) onEdit(false);
        }}
        onKeyDown={(event) => {
          if (completions.current?.press(event) === true) return;
          if (event.key === 'Enter') void submit();
          if (event.key === 'Escape') {
            dropLookup();
            onEdit(false);
          }
          if (isCommand(event, 'editPath')) field.current?.select();
        }}
      />
      {/* Rendered after the field, because it needs the field's element. */}
      <Suspense fallback={null}>
        {isOpening ? null : (
          <PathCompletions
            ref={completions}
            field={field}
            text={text}
            connectionId={completedIn ?? connectionOf(place)}
            onText={(next, connectionId) => {
              change(next);
              setCompletedIn(connectionId);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
