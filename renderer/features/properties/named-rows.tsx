import { Button, Text, TextInput } from '@mantine/core';
import { Plus, RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newRow, rowProblem, type NamedRow } from './property-form-model.ts';
import classes from './properties.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

interface NamedRowsProps {
  readonly kind: 'metadata' | 'tags';
  readonly rows: readonly NamedRow[];
  readonly onChange: (rows: readonly NamedRow[]) => void;
}

/** Edits metadata or tags as rows of names and values. */
export function NamedRows({ kind, rows, onChange }: NamedRowsProps) {
  const { t } = useTranslation();
  const change = (at: number, next: Partial<NamedRow>): void =>
    onChange(rows.map((row, n) => (n === at ? { ...row, ...next } : row)));
  return (
    <div className={classes.rows}>
      <Text size="sm" c="dimmed">
        {t(kind === 'tags' ? 'properties.tagsHelp' : 'properties.metadataHelp')}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm">{t(kind === 'tags' ? 'properties.noTags' : 'properties.noMetadata')}</Text>
      ) : null}
      {rows.map((row, at) => {
        const problem = rowProblem(rows, at, kind);
        const name = row.name === '' ? t('properties.name') : row.name;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the name of a row changes while it is typed
          <div key={at} className={classes.row} data-removed={row.isRemoved}>
            <TextInput
              aria-label={t('properties.name')}
              placeholder={t('properties.name')}
              value={row.name}
              readOnly={!row.isNew}
              error={problem === null || row.name === '' ? undefined : t(`properties.${problem}`)}
              spellCheck={false}
              autoComplete="off"
              data-autofocus={row.isNew ? true : undefined}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={row.name === '' ? t('properties.value') : `${t('properties.value')}: ${row.name}`}
              placeholder={
                row.before === null && !row.isNew ? t('properties.various') : t('properties.value')
              }
              value={row.value}
              disabled={row.isRemoved || row.isUnreadable}
              description={row.isUnreadable ? t('properties.unreadable') : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change(at, { value: event.currentTarget.value, isTouched: true })}
            />
            <IconButton
              size={30}
              label={t(row.isRemoved ? 'properties.undo' : 'properties.remove', { name })}
              icon={row.isRemoved ? RotateCcw : X}
              iconPx={14}
              onClick={() => {
                if (row.isNew) onChange(rows.filter((_, n) => n !== at));
                else change(at, { isRemoved: !row.isRemoved });
              }}
            />
          </div>
        );
      })}
      <div>
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...rows, newRow])}
        >
          {t('properties.add')}
        </Button>
      </div>
    </div>
  );
}
