import { NativeSelect, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { ViewerFailed, ViewerFrame } from '../frame/frame.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { FindField, Tool } from '../text/tools.tsx';
import { asciiText, bytesPerRow, byteText, offsetText, parseOffset } from './hex-bytes.ts';
import { useFindBytes, type ByteSearch, type BytesForm, useBytes } from './use-bytes.ts';
import classes from '../texts.module.css';
import tables from '../tables.module.css';
import frame from '../viewers.module.css';

const rowHeightPx = 22;

/** Shows the bytes of a file of any size, in hexadecimal and as ASCII. Only visible rows are read. */
export function HexView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { source } = file;
  const rowCount = Math.ceil(source.sizeBytes / bytesPerRow);
  const [active, setActive] = useState(0);
  const [seek, setSeek] = useState<{ readonly row: number } | undefined>();
  const goTo = (offset: number): void => {
    const row = Math.floor(Math.min(offset, source.sizeBytes - 1) / bytesPerRow);
    setActive(row);
    setSeek({ row });
  };
  const { rowAt, onRange, error, retry } = useBytes(source);
  const find = useFindBytes(source, goTo);
  const [searchText, setSearchText] = useState('');
  const [form, setForm] = useState<BytesForm>('text');
  const match = find.state.kind === 'found' ? find.state : { start: 0, end: 0 };
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={retry} />;
  const next = (): void => find.next(searchText, form, active * bytesPerRow);
  return (
    <ViewerFrame
      toolbar={
        <>
          <FindField
            label={t('viewers.hex.find')}
            widthPx={170}
            searchText={searchText}
            onSearchText={(text) => {
              find.clear();
              setSearchText(text);
            }}
            onPrevious={null}
            onNext={next}
          />
          <NativeSelect
            size="xs"
            w={84}
            aria-label={t('viewers.hex.form')}
            value={form}
            data-keeps-arrows
            onChange={({ currentTarget }) => {
              find.clear();
              setForm(currentTarget.value === 'hex' ? 'hex' : 'text');
            }}
            data={[
              { value: 'text', label: t('viewers.hex.text') },
              { value: 'hex', label: t('viewers.hex.bytes') },
            ]}
          />
          <Tool
            icon={ChevronDown}
            label={t('viewers.text.findNext')}
            isDisabled={searchText === ''}
            onClick={next}
          />
          <GoTo onOffset={goTo} />
          <span role="status" className={frame.toolText}>
            <FindWords state={find.state} />
          </span>
        </>
      }
    >
      <div className={tables.grid} data-keeps-arrows>
        <VirtualGrid
          label={t('viewers.hex.label', { name: file.name })}
          columns={columnsOf(rowAt, match, source.sizeBytes, t)}
          minWidthPx={690}
          rowCount={rowCount}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          {...(seek === undefined ? {} : { seek })}
          takesKeyboard
          onRange={onRange}
          rowAt={(row) => row}
          idOf={(row) => row}
        />
      </div>
    </ViewerFrame>
  );
}

interface ByteRange {
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
}

function columnsOf(
  rowAt: (row: number) => Uint8Array,
  match: ByteRange,
  sizeBytes: number,
  t: TFunction,
): readonly GridColumn<number>[] {
  const bytesAt = (row: number): Omit<BytesProps, 'text' | 'space'> => {
    const offset = row * bytesPerRow;
    return { bytes: rowAt(row), marked: [match.start - offset, match.end - offset] };
  };
  return [
    {
      id: 'offset',
      label: t('viewers.hex.offset'),
      width: '120px',
      cell: (row) => <span className={classes.hexOffset}>{offsetText(row * bytesPerRow, sizeBytes)}</span>,
    },
    {
      id: 'bytes',
      label: <code className={classes.hexBytes}>{headText}</code>,
      width: '400px',
      cell: (row) => <Bytes {...bytesAt(row)} text={byteText} space=" " />,
    },
    {
      id: 'ascii',
      label: t('viewers.hex.text'),
      width: 'minmax(150px, 1fr)',
      cell: (row) => <Bytes {...bytesAt(row)} text={asciiText} space="" />,
    },
  ];
}

const headText = Array.from({ length: bytesPerRow }, (_, at) => byteText(at)).join(' ');

interface BytesProps {
  readonly bytes: Uint8Array;
  /** The range of bytes in the row that belongs to the match. */
  readonly marked: readonly [start: number, end: number];
  readonly text: (byte: number) => string;
  readonly space: string;
}

function Bytes({ bytes, marked: [start, end], text, space }: BytesProps) {
  const from = Math.max(0, Math.min(start, bytes.length));
  const to = Math.max(from, Math.min(end, bytes.length));
  const part = (first: number, last: number): string =>
    Array.from(bytes.subarray(first, last), text).join(space);
  const spaced = (first: number, last: number): string =>
    (first > 0 && first < last ? space : '') + part(first, last);
  return (
    <span className={classes.hexBytes}>
      {part(0, from)}
      {from > 0 && from < to ? space : ''}
      {from < to ? <mark>{part(from, to)}</mark> : null}
      {spaced(to, bytes.length)}
    </span>
  );
}

function GoTo({ onOffset }: { readonly onOffset: (offset: number) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const offset = parseOffset(text);
  return (
    <TextInput
      size="xs"
      w={150}
      aria-label={t('viewers.hex.goTo')}
      placeholder={t('viewers.hex.goTo')}
      title={t('viewers.hex.goToHint')}
      value={text}
      error={text !== '' && offset === null}
      data-keeps-arrows
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        if (offset !== null) onOffset(offset);
      }}
    />
  );
}

function FindWords({ state }: { readonly state: ByteSearch }): ReactNode {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'running':
      return t('viewers.text.finding', { size: formatBytes(state.readBytes) });
    case 'none':
      return t('viewers.text.notFound');
    case 'not-hex':
      return t('viewers.hex.notHex');
    case 'failed':
      return t('viewers.hex.failed');
    default:
      return null;
  }
}
