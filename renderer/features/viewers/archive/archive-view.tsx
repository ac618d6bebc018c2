import { TextInput } from '@mantine/core';
import { File, Folder, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
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
import tables from '../tables.module.css';
import { type EncodingChoice, EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { useFeed } from '../records/use-feed.tsx';
import type { ArchiveEntry, ArchiveList } from './archive.ts';
import { EntryView } from './entry-view.tsx';
import { ArchiveProblem } from './archive-problem.tsx';
import { readZip } from './zip.ts';
import { entriesAtOnce, tarReader } from './tar.ts';

/** Lists a tar archive. Reads headers one by one, only as far as the user has scrolled. */
export function TarView({ file }: ViewerProps) {
  const encoding = useEncoding(file);
  const { chosen } = encoding;
  const reader = useMemo(() => tarReader(file.source, chosen), [file.source, chosen]);
  const { failure, onRange } = useFeed(reader, () => reader.entries.length, entriesAtOnce);
  const isEmpty = reader.entries.length === 0;
  if (failure !== null && isEmpty) return <ArchiveProblem thrown={failure.error} onRetry={failure.onRetry} />;
  if (isEmpty && reader.state === 'open') return <ViewerLoading />;
  return (
    <ArchiveView
      name={file.name}
      list={reader}
      isPacked={false}
      encoding={encoding}
      failure={failure}
      onRange={onRange}
    />
  );
}

interface ArchiveViewProps {
  readonly name: string;
  readonly list: ArchiveList;
  /** True if each entry is compressed individually and so has a compressed size as well. */
  readonly isPacked: boolean;
  readonly encoding: EncodingChoice;
  /** The error that stopped the reading of the list, or null. */
  readonly failure?: ReadFailureProps | null;
  readonly onRange?: (first: number, last: number) => void;
}

const rowHeightPx = 28;

/** Shows the entries of an archive, or one of them in place of the list. */
function ArchiveView(props: ArchiveViewProps) {
  const { name, list, isPacked, encoding, failure = null, onRange } = props;
  const { t } = useTranslation();
  const [active, setActive] = useState(0);
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<ArchiveEntry | null>(null);
  const { entries, state } = list;
  const total = entries.length;
  const rows = useMemo(() => {
    const needle = filter.trim().toLowerCase();
    const all = entries.slice(0, total);
    return needle === '' ? all : all.filter((entry) => entry.name.toLowerCase().includes(needle));
  }, [entries, total, filter]);
  const count = t('viewers.archive.entries', { count: total });
  if (opened !== null) return <EntryView entry={opened} onBack={() => setOpened(null)} />;
  return (
    <ViewerFrame
      notes={state === 'cut' ? [t('viewers.archive.cut', { number: formatCount(total) })] : []}
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
            {state === 'open' ? t('viewers.feed.soFar', { amount: count }) : count}
          </span>
          {list.hasUnknownNames ? (
            <EncodingSelect encoding={encoding.chosen} onEncoding={encoding.choose} />
          ) : null}
        </>
      }
    >
      <div className={tables.entryList} data-keeps-arrows>
        <VirtualGrid
          label={t('viewers.archive.label', { name })}
          columns={columnsOf(isPacked, t)}
          rowCount={rows.length}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          rowAt={(at) => rows[at]}
          idOf={(entry) => entry}
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
          <span className={tables.entryName}>
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
  const encoding = useEncoding(file);
  const { chosen } = encoding;
  const { data, error, refetch } = useRead(
    async (signal) => await readZip(file.source, signal, chosen),
    [chosen],
  );
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <ViewerLoading />;
  return <ArchiveView isPacked name={file.name} list={data} encoding={encoding} />;
}
