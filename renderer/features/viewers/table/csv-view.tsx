import { NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ViewerLoading, ViewerFailed, ViewerFrame } from '../frame/frame.tsx';
import { recordFeed } from '../records/record-feed.ts';
import { useFeed, FeedCount, useCutNote } from '../records/use-feed.tsx';
import { useEncoding, EncodingSelect } from '../encoding/encoding-select.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { csvCutter, separatorOf, separators, shapeOf, widthsOf, type Separator } from './csv.ts';
import { DataTable, type DataColumn } from './data-table.tsx';

const nameOfSeparator = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

/**
 * Shows separated values as a table. The separator and the header are detected, and the user can choose another separator.
 * Cells are plain text.
 */
export function CsvView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Separator | null>(null);
  const encoding = useEncoding(file);
  const [found, setFound] = useState<Separator>(',');
  const feed = useMemo(
    () =>
      recordFeed(
        file.source,
        (text) => {
          const separator = chosen ?? separatorOf(text);
          setFound(separator);
          return csvCutter(separator);
        },
        { chosen: encoding.chosen },
      ),
    [file.source, chosen, encoding.chosen],
  );
  const { failure, onRange } = useFeed(feed, () => feed.records.length);
  const cut = useCutNote(feed, 'viewers.feed.cutRows');
  const { records } = feed;
  const hasRows = records.length > 0;
  const [header, columns] = useMemo(() => (hasRows ? columnsOf(records) : [0, []]), [hasRows, records]);
  if (failure !== null && !hasRows) return <ViewerFailed {...failure} />;
  if (!hasRows && feed.state === 'open') return <ViewerLoading />;
  const rowCount = records.length - header;
  return (
    <ViewerFrame
      notes={cut}
      failure={failure}
      toolbar={
        <>
          <FeedCount text={t('viewers.feed.rows', { count: rowCount })} feed={feed} />
          <NativeSelect
            size="xs"
            aria-label={t('viewers.table.separator')}
            value={found}
            onChange={({ currentTarget }) =>
              setChosen(separators.find((known) => known === currentTarget.value) ?? null)
            }
            data={separators.map((known) => ({
              value: known,
              label: t(`viewers.table.separators.${nameOfSeparator[known]}`),
            }))}
          />
          <EncodingSelect encoding={feed.encoding} onEncoding={encoding.choose} />
        </>
      }
    >
      <DataTable
        name={file.name}
        columns={columns}
        rowCount={rowCount}
        cellOf={(row, column) => records[row + header]?.[column] ?? ''}
        onRange={onRange}
        wholeRow={async (row) =>
          await Promise.resolve(columns.map((_, at) => records[row + header]?.[at] ?? ''))
        }
      />
    </ViewerFrame>
  );
}

/** Returns the number of header rows, and the columns found in the first rows. */
function columnsOf(
  records: readonly (readonly string[])[],
): readonly [headerRows: number, columns: readonly DataColumn[]] {
  const { header, columnCount, numericColumns } = shapeOf(records);
  const columns = widthsOf(records, columnCount).map((characters, at): DataColumn => ({
    name: header?.[at] ?? null,
    characters,
    isNumeric: numericColumns.has(at),
  }));
  return [header === null ? 0 : 1, columns];
}
