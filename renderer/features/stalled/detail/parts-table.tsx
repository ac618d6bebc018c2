import { Box } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { PartRow, PartState, UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatExactBytes,
  formatExactDate,
} from '../../../ui/words/format.ts';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import type { ReadRange } from '../../../ui/table/range-rows.ts';
import { useRangeRows } from '../../../ui/table/use-range-rows.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import common from '../../../ui/common.module.css';

const stateClasses: Partial<Record<PartState, string | undefined>> = {
  missing: common.warn,
  'too-small': common.warn,
  differs: common.bad,
};

interface Props {
  readonly upload: UploadRef;
  /** The number of parts including missing ones. This is the table's length until its first page has loaded. */
  readonly total: number;
  readonly hasChecksums: boolean;
}

/** A table with all part numbers up to the highest, loaded in ranges. */
export function PartsTable({ upload, total, hasChecksums }: Props) {
  const { t } = useTranslation();
  const [active, setActive] = useState(-1);
  const read = useMemo<ReadRange<PartRow>>(
    () => async (range, signal) => {
      const { parts, total: count } = await rpc.stalled.parts({ ...upload, ...range }, { signal });
      return { rows: parts, total: count };
    },
    [upload],
  );
  const { rowAt, hasRead, error, onRange, refresh, total: count } = useRangeRows(read, '', true);
  if (error !== null && !hasRead) return <FailureNotice error={error} onRetry={refresh} />;
  return (
    <Box className={joinClasses(common.framed, common.clip)} flex="1 0 240px" mih={0}>
      <VirtualGrid
        label={t('stalled.parts.label')}
        columns={hasChecksums ? columnsOf(t) : columnsOf(t).slice(0, -1)}
        rowCount={hasRead ? count : total}
        rowHeightPx={28}
        active={active}
        onActive={setActive}
        rowAt={(index): NumberedPart => ({ number: index + 1, part: rowAt(index) })}
        idOf={({ number }) => number}
        onRange={onRange}
      />
    </Box>
  );
}

/** A part and its number. The part is null while it is not loaded. */
interface NumberedPart {
  readonly number: number;
  readonly part: PartRow | null;
}

function columnsOf(t: TFunction): readonly GridColumn<NumberedPart>[] {
  const unknownText = t('stalled.unknown');
  return [
    {
      id: 'number',
      label: t('stalled.parts.columns.number'),
      width: '64px',
      align: 'end',
      cell: ({ number }) => formatCount(number),
    },
    {
      id: 'state',
      label: t('stalled.parts.columns.state'),
      width: '96px',
      cell: ({ part }) =>
        part === null ? (
          t('stalled.loadingRow')
        ) : (
          <span className={stateClasses[part.state]}>{t(`stalled.strip.state.${part.state}`)}</span>
        ),
    },
    {
      id: 'size',
      label: t('stalled.parts.columns.size'),
      width: '88px',
      align: 'end',
      cell: ofPart(({ sizeBytes }) =>
        sizeBytes === null ? (
          unknownText
        ) : (
          <span title={formatExactBytes(sizeBytes)}>{formatBytes(sizeBytes)}</span>
        ),
      ),
    },
    {
      id: 'time',
      label: t('stalled.parts.columns.time'),
      width: '170px',
      cell: ofPart(({ lastModified }) =>
        lastModified === null ? (
          unknownText
        ) : (
          <time dateTime={lastModified} title={formatExactDate(lastModified)}>
            {formatDate(lastModified)}
          </time>
        ),
      ),
    },
    {
      id: 'etag',
      label: t('stalled.parts.columns.etag'),
      width: 'minmax(100px, 1fr)',
      cell: ofPart(({ etag }) => (
        <span className={common.mono} title={etag ?? undefined}>
          {etag?.replaceAll('"', '') ?? unknownText}
        </span>
      )),
    },
    {
      id: 'checksum',
      label: t('stalled.parts.columns.checksum'),
      width: 'minmax(100px, 1fr)',
      cell: ofPart(({ checksum }) => (
        <span className={common.mono} title={checksum ?? undefined}>
          {checksum ?? unknownText}
        </span>
      )),
    },
  ];
}

/** Returns a cell that is empty while its part is not loaded. */
function ofPart(cell: (part: PartRow) => ReactNode): (row: NumberedPart) => ReactNode {
  return ({ part }) => (part === null ? null : cell(part));
}
