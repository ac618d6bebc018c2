import { Checkbox } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import type { TableDescription } from '../columnar/columnar-file.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import classes from '../tables.module.css';

/** Limit of rendered rows. */
const maxShown = 1000;

interface SchemaViewProps {
  readonly table: TableDescription;
  readonly chosen: ReadonlySet<number>;
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
}

/** Shows the row groups and the columns, to choose which are visible. */
export function SchemaView({ table, chosen, onChosen }: SchemaViewProps) {
  const { t } = useTranslation();
  const groupsId = useId();
  const choose = (column: number, isChosen: boolean): void => {
    const next = new Set(chosen);
    if (isChosen) next.add(column);
    else next.delete(column);
    onChosen(next);
  };
  const hiddenColumns = table.columns.length - maxShown;
  const hiddenGroups = table.groups.length - maxShown;
  return (
    <div className={classes.schema} data-keeps-arrows>
      <table className={classes.schemaTable}>
        <thead>
          <tr>
            <th scope="col">{t('viewers.columnar.column')}</th>
            <th scope="col">{t('viewers.columnar.type')}</th>
          </tr>
        </thead>
        <tbody>
          {table.columns.slice(0, maxShown).map(({ name, type }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- columns never move, and two may have one name
            <tr key={at}>
              <td>
                <Checkbox
                  size="xs"
                  label={name}
                  checked={chosen.has(at)}
                  onChange={(event) => choose(at, event.currentTarget.checked)}
                />
              </td>
              <td className={joinClasses(common.mono, common.quiet)}>{type}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hiddenColumns > 0 ? (
        <p className={common.quiet}>{t('common.andMore', { count: hiddenColumns })}</p>
      ) : null}
      <div hidden={table.groups.length === 0}>
        <p id={groupsId} className={classes.schemaCaption}>
          {t('viewers.columnar.groups', { number: formatCount(table.groups.length) })}
          {table.codecs.length > 0 ? ` · ${table.codecs.join(', ')}` : ''}
          {table.createdBy === null ? '' : ` · ${table.createdBy}`}
        </p>
        <table className={classes.schemaTable} aria-labelledby={groupsId}>
          <thead>
            <tr>
              {['#', t('viewers.columnar.rows'), t('viewers.columnar.size')].map((heading) => (
                <th key={heading} scope="col" className={classes.schemaNumber}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.groups.slice(0, maxShown).map(({ rows, packedBytes, firstRow }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- empty groups begin at one row
              <tr key={`${String(firstRow)}-${String(at)}`}>
                <td className={classes.schemaNumber}>{formatCount(at + 1)}</td>
                <td className={classes.schemaNumber}>{formatCount(rows)}</td>
                <td className={classes.schemaNumber}>{formatBytes(packedBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {hiddenGroups > 0 ? (
          <p className={common.quiet}>{t('common.andMore', { count: hiddenGroups })}</p>
        ) : null}
      </div>
    </div>
  );
}
