import { TextInput } from '@mantine/core';
import { File, Folder, Search } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { formatBytes, formatCount, formatDate } from '../../../ui/words/format.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import common from '../../../ui/common.module.css';
import { type ReadFailureProps, ViewerFrame, ViewerLoading } from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import classes from '../viewers.module.css';
import own from '../tables.module.css';
import { EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { useFeed } from '../records/use-feed.tsx';
import type { ArchiveEntry } from './archive.ts';
import { EntryView } from './entry-view.tsx';
import { ArchiveProblem } from './archive-problem.tsx';
import { readZip } from './zip.ts';
import { tarReader } from './tar.ts';

/** Number of entries read at a time. Each may cost a request, since headers are spread between the files. */
const entriesAtOnce = 40;

/** Lists a tar archive. Reads headers one by one, only as far as the user has scrolled. */
export function TarView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { chosen, choose } = useEncoding(file);
  const feed = useMemo(() => {
    const reader = tarReader(file.source, chosen);
    return {
      entries: reader.entries,
      get hasUnknownNames() {
        return reader.hasUnknownNames;
      },
      get state() {
        return reader.state;
      },
      more: async (signal: AbortSignal) => {
        await reader.more(entriesAtOnce, signal);
      },
    };
  }, [file.source, chosen]);
  const { failure, onRange } = useFeed(feed, () => feed.entries.length, entriesAtOnce);
  const { entries, state } = feed;
  if (failure !== null && entries.length === 0)
    return <ArchiveProblem thrown={failure.error} onRetry={failure.onRetry} />;
  if (entries.length === 0 && state === 'open') return <ViewerLoading />;
  const countText = t('viewers.archive.entries', { count: entries.length });
  return (
    <ArchiveView
      name={file.name}
      entries={entries}
      count={state === 'open' ? t('viewers.feed.soFar', { amount: countText }) : countText}
      notes={state === 'cut' ? [t('viewers.archive.cut', { number: formatCount(entries.length) })] : []}
      isPacked={false}
      tools={feed.hasUnknownNames ? <EncodingSelect encoding={chosen} onEncoding={choose} /> : null}
      failure={failure}
      onRange={onRange}
    />
  );
}

interface ArchiveViewProps {
  readonly name: string;
  readonly entries: readonly ArchiveEntry[];
  /** The number of entries, as text. */
  readonly count: string;
  /** True if each entry is compressed individually and so has a compressed size as well. */
  readonly isPacked: boolean;
  readonly notes: readonly string[];
  /** Shown next to the filter. */
  readonly tools?: ReactNode;
  /** The error that stopped the reading of the list, or null. */
  readonly failure?: ReadFailureProps | null;
  readonly onRange?: (first: number, last: number) => void;
}

const rowHeightPx = 28;

/** Shows the entries of an archive, or one of them in place of the list. */
export function ArchiveView({
  name,
  entries,
  count,
  isPacked,
  notes,
  tools,
  failure = null,
  onRange,
}: ArchiveViewProps) {
  const { t } = useTranslation();
  const [active, setActive] = useState(0);
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<ArchiveEntry | null>(null);
  const total = entries.length;
  const rows = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const all = entries.slice(0, total);
    return wanted === '' ? all : all.filter((entry) => entry.name.toLowerCase().includes(wanted));
  }, [entries, total, filter]);
  if (opened !== null)
    return (
      <EntryView
        entry={opened}
        onBack={() => {
          setOpened(null);
        }}
      />
    );
  return (
    <ViewerFrame
      notes={notes}
      failure={failure}
      toolbar={
        <>
          <TextInput
            size="xs"
            leftSection={<Search size={14} aria-hidden />}
            aria-label={t('viewers.archive.filter')}
            placeholder={t('viewers.archive.filter')}
            value={filter}
            onChange={(event) => {
              setFilter(event.currentTarget.value);
              setActive(0);
            }}
          />
          <span className={classes.toolText} role="status">
            {count}
          </span>
          {tools}
        </>
      }
    >
      <div className={own.entryList} data-keeps-arrows>
        <VirtualGrid
          label={t('viewers.archive.label', { name })}
          columns={columnsOf(isPacked, t)}
          rowCount={rows.length}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          rowAt={(at) => rows[at]}
          onOpen={(entry) => {
            if (!entry.isFolder) setOpened(entry);
          }}
          topKey={filter}
          takesKeyboard
          {...(onRange === undefined ? {} : { onRange })}
        />
      </div>
    </ViewerFrame>
  );
}

function columnsOf(isPacked: boolean, t: TFunction): readonly GridColumn<ArchiveEntry>[] {
  const size: GridColumn<ArchiveEntry> = {
    id: 'size',
    label: t('viewers.archive.size'),
    width: '100px',
    align: 'end',
    cell: ({ isFolder, sizeBytes }) => (isFolder ? '' : formatBytes(sizeBytes)),
  };
  const packed: GridColumn<ArchiveEntry> = {
    ...size,
    id: 'packed',
    label: t('viewers.archive.packed'),
    cell: ({ isFolder, packedBytes }) => (isFolder ? '' : formatBytes(packedBytes)),
  };
  return [
    {
      id: 'name',
      label: t('viewers.archive.name'),
      width: 'minmax(160px, 1fr)',
      cell: ({ name, isFolder }) => {
        const Icon = isFolder ? Folder : File;
        return (
          <span className={own.entryName}>
            <Icon size={14} aria-hidden />
            <span className={common.cut}>
              <KeyText name={name} />
            </span>
          </span>
        );
      },
    },
    size,
    ...(isPacked ? [packed] : []),
    {
      id: 'modified',
      label: t('viewers.archive.modified'),
      width: '170px',
      cell: ({ modifiedMs }) =>
        modifiedMs === null || modifiedMs === 0 || Math.abs(modifiedMs) > 8.6e15
          ? ''
          : formatDate(new Date(modifiedMs).toISOString()),
    },
  ];
}

/** Shows a zip archive, whose entries are read from the directory at the end of the file. */
export function ZipView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { chosen, choose } = useEncoding(file);
  const { data, error, refetch } = useRead(
    async (signal) => await readZip(file.source, signal, chosen),
    [chosen],
  );
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <ViewerLoading />;
  const { entries, isCut, hasUnknownNames } = data;
  return (
    <ArchiveView
      isPacked
      name={file.name}
      entries={entries}
      tools={hasUnknownNames ? <EncodingSelect encoding={chosen} onEncoding={choose} /> : null}
      count={t('viewers.archive.entries', { count: entries.length })}
      notes={isCut ? [t('viewers.archive.cut', { number: formatCount(entries.length) })] : []}
    />
  );
}
