import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocalName } from '../../../rpc/root-names.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatBytes, formatCount, formatExactBytes } from '../../../ui/words/format.ts';
import { DetailField, Heading, ModifiedField } from '../details/details-parts.tsx';
import type { FolderModel } from '../folder/folder-model.ts';
import { rowName } from '../rows/row.ts';
import { sumOf } from '../views/status-line.tsx';
import type { LocalFolder } from './local-actions.ts';
import classes from '../page.module.css';

interface LocalDetailsProps {
  /** The open folder, or null for the list of this computer's top-level folders. */
  readonly folder: LocalFolder | null;
  readonly model: FolderModel | null;
  readonly selected: ReadonlySet<number>;
}

/** Shows facts about the selected local files that the list has already loaded. */
export function LocalDetails({ folder, model, selected }: LocalDetailsProps) {
  const { t } = useTranslation();
  const localName = useLocalName();
  const [number] = selected;
  const row = selected.size === 1 && number !== undefined ? model?.row(number) : undefined;
  const sum = sumOf(model, selected);
  const isFolder = row === undefined || row.kind === 'folder';
  return (
    <aside
      data-pane="details"
      tabIndex={-1}
      aria-label={t('objects.details.label')}
      className={joinClasses(common.column, classes.details)}
    >
      {selected.size > 1 ? (
        <Stack gap={4}>
          <h2 className={joinClasses(common.strong, common.breaks, classes.detailsTitle)}>
            {t('objects.details.many', { rows: formatCount(sum.rows) })}
          </h2>
          <Text size="sm">{t('files.details.manySize', { size: formatBytes(sum.sizeBytes) })}</Text>
          {sum.folders === 0 ? null : (
            <Text size="sm" c="dimmed">
              {t('files.details.manyFolders')}
            </Text>
          )}
        </Stack>
      ) : (
        <>
          <Heading
            name={
              row === undefined
                ? folder === null
                  ? t('files.computer')
                  : localName(folder)
                : rowName(row, '')
            }
            isFolder={isFolder}
            kind={t(
              row === undefined
                ? 'objects.details.thisFolder'
                : isFolder
                  ? 'files.details.folder'
                  : 'files.details.file',
            )}
          />
          {row === undefined || isFolder ? null : (
            <dl className={classes.fields}>
              <DetailField
                name={t('objects.details.fields.size')}
                value={t('objects.details.sizeBoth', {
                  short: formatBytes(row.sizeBytes),
                  exact: formatExactBytes(row.sizeBytes),
                })}
              />
              <ModifiedField row={row} />
            </dl>
          )}
        </>
      )}
    </aside>
  );
}
