import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { TypeIcon } from '../../../ui/cells/type-icon.tsx';
import common from '../../../ui/common.module.css';
import { formatExactDate } from '../../../ui/words/format.ts';
import { isoOf } from '../rows/folder-columns.ts';
import type { FolderRow } from '../rows/folder-row.ts';
import classes from '../page.module.css';

/** The heading of the details: name and kind of the selected item. */
export function Heading({
  name,
  isFolder,
  kind,
}: {
  readonly name: string;
  readonly isFolder: boolean;
  readonly kind: string;
}) {
  return (
    <Group wrap="nowrap" gap={10}>
      <TypeIcon name={name} isFolder={isFolder} size={28} />
      <Box miw={0}>
        <h2 className={joinClasses(common.strong, common.breaks, classes.detailsTitle)}>
          <KeyText name={name} />
        </h2>
        <Text size="xs" c="dimmed">
          {kind}
        </Text>
      </Box>
    </Group>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string | null;
  readonly isKey?: boolean;
  readonly isMono?: boolean;
  readonly canCopy?: boolean;
  /** Replaces the plain text of the value. */
  readonly children?: ReactNode;
}

/** A labelled fact. Shows that the value is unknown if it is null or empty. */
export function DetailField({
  name,
  value,
  isKey = false,
  isMono = false,
  canCopy = false,
  children,
}: FieldProps) {
  const { t } = useTranslation();
  const hasValue = value !== null && value !== '';
  return (
    <div className={classes.field}>
      <dt>{name}</dt>
      <dd data-mono={hasValue && (isMono || isKey)}>
        <span>
          {hasValue ? (
            isKey ? (
              <KeyText name={value} />
            ) : (
              (children ?? value)
            )
          ) : (
            <span className={classes.absent}>{t('objects.details.notSaid')}</span>
          )}
        </span>
        {canCopy && hasValue ? (
          <CopyButton value={value} label={t('objects.details.copyValue', { name })} />
        ) : null}
      </dd>
    </div>
  );
}

/** The exact time of the last change of a row. */
export function ModifiedField({ row }: { readonly row: FolderRow }) {
  const { t } = useTranslation();
  const iso = isoOf(row);
  return (
    <DetailField
      name={t('objects.details.fields.modified')}
      value={iso === null ? null : formatExactDate(iso)}
    />
  );
}
