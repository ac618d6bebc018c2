import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { formatCount } from '../../../ui/words/format.ts';
import { ReadFailure } from '../frame/read-failure.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import classes from '../tables.module.css';

/** Reads the full values in a row. A value that cannot be shown is undefined. */
export type WholeRow = (row: number, signal: AbortSignal) => Promise<readonly (string | null | undefined)[]>;

interface RowValuesProps {
  readonly row: number;
  readonly columns: readonly { readonly name: string | null }[];
  readonly wholeRow: WholeRow;
}

/** Shows the full values in a row, each below the name of its column. */
export function RowValues({ row, columns, wholeRow }: RowValuesProps) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-row', id, columns.length],
    queryFn: async ({ signal }) => await wholeRow(row, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { keepAfterReconnect: true },
  });
  return (
    <section
      className={classes.values}
      aria-label={t('viewers.table.row', { number: formatCount(row + 1) })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {error !== null ? (
        <ReadFailure error={appErrorOf(error)} onRetry={refetch} />
      ) : data === undefined ? (
        <ViewerLoading />
      ) : (
        <dl>
          {columns.map(({ name }, at) => {
            const value = data[at];
            return (
              // oxlint-disable-next-line react/no-array-index-key -- columns of a table never move
              <div key={at}>
                <dt>{name ?? t('viewers.table.column', { number: formatCount(at + 1) })}</dt>
                {value === null || value === undefined ? (
                  <dd className={classes.noValue}>{value === null ? 'null' : '—'}</dd>
                ) : (
                  <dd>{value}</dd>
                )}
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
