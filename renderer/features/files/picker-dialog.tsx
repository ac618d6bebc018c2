import { Box, Button, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { CornerLeftUp, File, Folder as FolderIcon, HardDrive, Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { FileEntry, FolderListing } from '../../../shared/models/files.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatDate, formatExactBytes } from '../../ui/words/format.ts';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import { Trail } from '../../ui/trail.tsx';
import type { PickRequest } from './pick-store.ts';
import { atRoots, choiceOf, inFolder, openingOf, parentSpot, type PickerSpot } from './picker-model.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import classes from './picker-dialog.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

const pageSize = 500;

/** Lists the roots, or the entries in a folder page by page as they become visible. */
function useDiskFolder(spot: PickerSpot, text: string) {
  const roots = useQuery(orpc.files.roots.queryOptions({ enabled: spot.kind === 'roots', staleTime: 0 }));
  const handle = spot.kind === 'folder' ? spot.folder.handle : '';
  const listing = useInfiniteQuery({
    queryKey: ['files.list', handle, text],
    enabled: spot.kind === 'folder',
    // Never caches the list, since a disk changes without notice.
    staleTime: 0,
    gcTime: 0,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      rpc.files.list({ folderHandle: handle, offset: pageParam, limit: pageSize, text }, { signal }),
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.entries.length, 0);
      return last.entries.length === 0 || loaded >= last.total ? null : loaded;
    },
  });
  const pages = listing.data?.pages;
  const listed = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  const rootEntries = useMemo(
    () => (roots.data ?? []).filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    [roots.data, text],
  );
  const shown = spot.kind === 'roots' ? roots : listing;
  const entries: readonly FileEntry[] = spot.kind === 'roots' ? rootEntries : listed;
  return {
    entries,
    trail: pages?.[0]?.trail ?? [],
    isPending: shown.isPending,
    error: shown.error === null ? null : appErrorOf(shown.error),
    more: () => {
      if (listing.hasNextPage && !listing.isFetchingNextPage) void listing.fetchNextPage();
    },
    retry: () => void shown.refetch(),
  };
}

/** The picker's location when it was last closed. Kept until the window closes. */
let lastSpot: PickerSpot = atRoots;

/** The dialog to choose a file or folder on this computer. */
export function Picker({ request }: { readonly request: PickRequest }) {
  const { t } = useTranslation();
  const { kind, title, settle } = request;
  const [spot, setSpot] = useState<PickerSpot>(lastSpot);
  const [text, setText] = useState('');
  const [debouncedText] = useDebouncedValue(text, 150);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const folder = useDiskFolder(spot, debouncedText);
  const { entries, trail } = folder;
  const marked = entries[active] ?? null;
  const choice = choiceOf(spot, marked, kind);

  const go = (next: PickerSpot): void => {
    lastSpot = next;
    setSpot(next);
    setText('');
    setActive(-1);
  };
  const up = (): void => {
    if (spot.kind === 'folder') go(parentSpot(trail));
  };
  const open = (index: number): void => {
    const entry = entries[index];
    if (entry === undefined) return;
    const opening = openingOf(entry, kind);
    if (opening === 'enter') go(inFolder(entry));
    else if (opening === 'choose') settle(entry);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Backspace' && !(event.altKey && event.key === 'ArrowUp')) return;
    event.preventDefault();
    up();
  };

  return (
    <Dialog onClose={() => settle(null)} title={title} size={720} zIndex={400}>
      <Stack gap="xs" h="min(560px, var(--cooper-dialog-body-height))" mih={220}>
        <div className={common.wrap}>
          <IconButton
            label={t('files.up')}
            icon={CornerLeftUp}
            onClick={up}
            disabled={spot.kind === 'roots'}
          />
          <SpotTrail spot={spot} trail={trail} onGo={go} />
          <TextInput
            flex="0 1 190px"
            leftSection={<Search size={14} aria-hidden />}
            placeholder={t('files.filter')}
            aria-label={t('files.filter')}
            value={text}
            data-autofocus
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              setActive(0);
              list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
            }}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setActive(-1);
            }}
          />
        </div>
        <Box className={joinClasses(common.framed, common.clip)} pos="relative" flex={1} mih={0} ref={list}>
          {folder.error === null ? (
            <Entries
              folder={folder}
              kind={kind}
              active={active}
              onActive={setActive}
              onOpen={open}
              onKey={onKey}
              text={debouncedText}
              spot={spot}
            />
          ) : (
            <ErrorNotice variant="page" error={folder.error} onRetry={folder.retry} isReading />
          )}
        </Box>
        <div className={joinClasses(common.wrap, classes.footer)}>
          <Text size="xs" c="dimmed">
            {spot.kind === 'roots' ? t('files.onlyThese') : t('files.hint')}
          </Text>
          <Button variant="default" onClick={() => settle(null)}>
            {t('files.cancel')}
          </Button>
          {choice === null && marked?.kind === 'folder' ? (
            <Button onClick={() => open(active)}>{t('files.open')}</Button>
          ) : (
            <Button disabled={choice === null} onClick={() => settle(choice)}>
              {choice === null ? t('files.choose') : t('files.chooseNamed', { name: choice.name })}
            </Button>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

interface SpotTrailProps {
  readonly spot: PickerSpot;
  readonly trail: FolderListing['trail'];
  readonly onGo: (spot: PickerSpot) => void;
}

function SpotTrail({ spot, trail, onGo }: SpotTrailProps) {
  const { t } = useTranslation();
  const known = trail.length > 0 || spot.kind === 'roots' ? trail : [spot.folder];
  const crumbs = [
    { id: 'roots', name: t('files.computer'), onGo: () => onGo(atRoots) },
    ...known.map((folder) => ({ id: folder.handle, name: folder.name, onGo: () => onGo(inFolder(folder)) })),
  ];
  return <Trail label={t('files.trail')} crumbs={crumbs} />;
}

function columnsOf(
  kind: FileEntry['kind'],
  isRoots: boolean,
  t: TFunction,
): readonly GridColumn<FileEntry>[] {
  return [
    {
      id: 'name',
      label: t('files.name'),
      width: 'minmax(140px, 1fr)',
      cell: (entry) => {
        const Icon = entry.kind === 'file' ? File : isRoots ? HardDrive : FolderIcon;
        return (
          <span
            className={classes.entry}
            data-kind={entry.kind}
            data-dim={entry.kind === 'file' && kind === 'folder'}
            title={entry.name}
          >
            <Icon size={15} aria-hidden />
            <span className="visually-hidden">{t(`files.${entry.kind}`)} </span>
            <span>{entry.name}</span>
          </span>
        );
      },
    },
    {
      id: 'size',
      label: t('files.size'),
      width: '90px',
      align: 'end',
      cell: (entry) =>
        entry.sizeBytes === null || entry.kind === 'folder' ? null : (
          <span title={formatExactBytes(entry.sizeBytes)}>{formatBytes(entry.sizeBytes)}</span>
        ),
    },
    {
      id: 'modified',
      label: t('files.modified'),
      width: '178px',
      cell: ({ modifiedAt }) => (modifiedAt === null ? null : formatDate(modifiedAt)),
    },
  ];
}

interface EntriesProps {
  readonly folder: ReturnType<typeof useDiskFolder>;
  readonly kind: FileEntry['kind'];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly text: string;
  readonly spot: PickerSpot;
}

function Entries({ folder, kind, active, onActive, onOpen, onKey, text, spot }: EntriesProps) {
  const { t } = useTranslation();
  const { entries, isPending, more } = folder;
  // The list stays mounted while the next folder loads, so that the list keeps focus.
  return (
    <>
      {entries.length > 0 ? null : (
        <div className={classes.empty} role="status">
          {emptyText(isPending, text, spot, t)}
        </div>
      )}
      <VirtualGrid
        label={t('files.list')}
        columns={columnsOf(kind, spot.kind === 'roots', t)}
        rowCount={entries.length}
        rowHeightPx={28}
        active={active}
        onActive={onActive}
        rowAt={(index) => entries[index]}
        idOf={({ kind: entryKind, name }) => `${entryKind} ${name}`}
        loading={t('files.loading')}
        names={() => entries.map(({ name }) => name)}
        onOpen={(_entry, index) => onOpen(index)}
        onKey={onKey}
        onRange={(_first, last) => {
          if (last >= entries.length - 50) more();
        }}
      />
    </>
  );
}

function emptyText(isPending: boolean, text: string, spot: PickerSpot, t: TFunction): string {
  if (isPending) return t('files.loading');
  if (text !== '') return t('files.noneFits', { text });
  return t(spot.kind === 'roots' ? 'files.noRoots' : 'files.empty');
}
