import { Button, Group, Stack, Text } from '@mantine/core';
import { Download, Eye } from 'lucide-react';
import { memo, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatBytes, formatCount, formatExactBytes } from '../../../ui/words/format.ts';
import { StorageClass } from '../../../ui/cells/storage-class.tsx';
import { useValueAfterPaint } from '../../../ui/use-painted.ts';
import type { AboutActions, FolderActions } from '../actions/folder-actions.ts';
import type { FolderPlace } from '../rows/place.ts';
import { rowsToPrice, type FolderRow } from '../rows/row.ts';
import { LazyDownloadCost } from '../../prices/index.ts';
import { LazyThumbnail, thumbnailKind } from '../../viewers/index.ts';
import type { DetailedRows } from '../views/status-line.tsx';
import { DetailField, Heading, ModifiedField } from './details-parts.tsx';
import classes from '../page.module.css';
import { HeadDetails, Addresses, withoutQuotes } from './head-details.tsx';

export interface DetailsPaneProps {
  readonly place: FolderPlace;
  readonly chosen: DetailedRows;
  readonly onPreview: (row: FolderRow) => void;
  readonly actions: DetailsActions;
  /** Facts about a folder that other features provide, such as its size. */
  readonly renderExtras: (prefix: string) => ReactNode;
  readonly onShowMap: (folder: string) => void;
  /** True while the first rows load. The details are shown afterwards. */
  readonly isArriving: boolean;
  /** True if the folder could not be listed, so there are no rows to count. */
  readonly isUnlisted: boolean;
}

/** The actions on the selection. */
interface DetailsActions extends Pick<FolderActions, 'download' | 'copyTo' | 'moveTo' | 'remove'> {
  readonly about: Pick<AboutActions, 'properties' | 'versions' | 'link'>;
}

/** Shows the known facts about the selection. Renders after the rows have painted, since rows have priority. */
export function DetailsPane(props: DetailsPaneProps) {
  const { place, chosen, isUnlisted, renderExtras, onShowMap, isArriving } = props;
  const deferredProps = useMemo(
    () => ({ place, chosen, isUnlisted, renderExtras, onShowMap }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the functions differ on every render but depend on `place` alone
    [place, chosen, isUnlisted],
  );
  return <Details {...props} {...useValueAfterPaint(deferredProps, isArriving)} />;
}

function Details(props: DetailsPaneProps) {
  const { place, chosen, onPreview, actions, renderExtras, onShowMap } = props;
  const { t } = useTranslation();
  const { only: row, count } = chosen;
  return (
    <aside
      data-pane="details"
      tabIndex={-1}
      aria-label={t('objects.details.label')}
      className={joinClasses(common.column, classes.details)}
    >
      {count > 1 ? (
        <ManyDetails place={place} chosen={chosen} actions={actions} onShowMap={onShowMap} />
      ) : null}
      {row === null && count <= 1 ? (
        <FolderDetails
          place={place}
          prefix={place.folder}
          renderExtras={props.isUnlisted ? noExtras : renderExtras}
        />
      ) : null}
      {row?.kind === 'folder' ? (
        <>
          <FolderDetails place={place} prefix={row.key} renderExtras={renderExtras} />
          <Cost place={place} rows={[row]} onShowMap={onShowMap} />
        </>
      ) : null}
      {row?.kind === 'object' ? (
        <ObjectDetails
          place={place}
          row={row}
          onPreview={onPreview}
          actions={actions}
          onShowMap={onShowMap}
        />
      ) : null}
    </aside>
  );
}

/** Shows what downloading these rows costs. */
function Cost({
  place,
  rows,
  onShowMap,
}: Pick<DetailsPaneProps, 'place' | 'onShowMap'> & { readonly rows: readonly FolderRow[] }) {
  const onCount = (): void => onShowMap(rows.find(({ kind }) => kind === 'folder')?.key ?? place.folder);
  const of = rowsToPrice(place, rows);
  return of === null ? null : <LazyDownloadCost of={of} onCount={onCount} />;
}

/**
 * Limit of selected rows whose cost the details show. For more rows, the cost is calculated only when the user requests a
 * download.
 */
const maxPriced = 5000;

type ManyProps = Pick<DetailsPaneProps, 'place' | 'chosen' | 'actions' | 'onShowMap'>;

function ManyDetails({ place, chosen, actions, onShowMap }: ManyProps) {
  const { t } = useTranslation();
  const sum = useMemo(() => chosen.sum(), [chosen]);
  const priced = chosen.count > maxPriced ? null : chosen.rows();
  return (
    <Stack gap={4}>
      <h2 className={joinClasses(common.strong, common.breaks, classes.detailsTitle)}>
        {t('objects.details.many', { rows: formatCount(sum.rows) })}
      </h2>
      <Text size="sm">{t('objects.details.manySize', { size: formatBytes(sum.sizeBytes) })}</Text>
      {sum.folders === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t('objects.details.manyFolders')}
        </Text>
      )}
      <Button
        variant="default"
        fullWidth
        mt="xs"
        leftSection={<Download size={14} aria-hidden />}
        onClick={actions.download}
      >
        {t('transfers.download')}
      </Button>
      {priced === null ? null : <Cost place={place} rows={priced} onShowMap={onShowMap} />}
      <div className={classes.detailsActions}>
        <Action label={t('operations.menu.copyTo')} onClick={actions.copyTo} />
        <Action label={t('operations.menu.moveTo')} onClick={actions.moveTo} />
        <Action label={t('entries.properties.open')} onClick={actions.about.properties} />
        <Action label={t('operations.menu.delete')} isDanger onClick={actions.remove} />
      </div>
    </Stack>
  );
}

interface ActionProps {
  readonly label: string;
  readonly isDanger?: boolean;
  readonly onClick: () => void;
}

function Action({ label, isDanger = false, onClick }: ActionProps) {
  return (
    <Button variant="default" size="compact-sm" {...(isDanger ? { c: 'red' } : {})} onClick={onClick}>
      {label}
    </Button>
  );
}

const noExtras = (): ReactNode => null;

const FolderDetails = memo(function FolderDetails({
  place,
  prefix,
  renderExtras,
}: Pick<DetailsPaneProps, 'place' | 'renderExtras'> & { readonly prefix: string }) {
  const { t } = useTranslation();
  const isOpenFolder = prefix === place.folder;
  return (
    <>
      <Heading
        name={prefix === '' ? place.bucket : lastSegment(prefix)}
        isFolder
        kind={t(
          prefix === ''
            ? 'objects.details.wholeBucket'
            : isOpenFolder
              ? 'objects.details.thisFolder'
              : 'objects.details.folder',
        )}
      />
      <dl className={classes.fields}>
        <DetailField name={t('objects.details.fields.bucket')} value={place.bucket} />
        {prefix === '' ? null : (
          <DetailField name={t('objects.details.prefix')} value={prefix} isKey canCopy />
        )}
      </dl>
      {renderExtras(prefix)}
      {prefix === '' ? null : <Addresses place={place} objectKey={prefix} />}
    </>
  );
});

function ObjectDetails({
  place,
  row,
  onPreview,
  actions,
  onShowMap,
}: Pick<DetailsPaneProps, 'place' | 'onPreview' | 'actions' | 'onShowMap'> & { readonly row: FolderRow }) {
  const { t } = useTranslation();
  const exact = formatExactBytes(row.sizeBytes);
  return (
    <>
      <Picture place={place} row={row} />
      <Heading name={lastSegment(row.key)} isFolder={false} kind={t('objects.details.object')} />
      <Group grow gap={8}>
        <Button variant="default" leftSection={<Eye size={14} aria-hidden />} onClick={() => onPreview(row)}>
          {t('objects.details.preview')}
        </Button>
        <Button variant="default" leftSection={<Download size={14} aria-hidden />} onClick={actions.download}>
          {t('transfers.download')}
        </Button>
      </Group>
      <div className={classes.about}>
        <Action label={t('entries.properties.open')} onClick={actions.about.properties} />
        <Action label={t('entries.versions.ofObject')} onClick={actions.about.versions} />
        <Action label={t('entries.links.open')} onClick={actions.about.link} />
      </div>
      <dl className={classes.fields}>
        <DetailField
          name={t('objects.details.fields.size')}
          value={
            row.sizeBytes < 1024
              ? exact
              : t('objects.details.sizeBoth', { short: formatBytes(row.sizeBytes), exact })
          }
        />
        <ModifiedField row={row} />
        <DetailField name={t('objects.details.fields.storageClass')} value={row.storageClass}>
          <StorageClass name={row.storageClass} />
        </DetailField>
        <DetailField name={t('objects.details.fields.etag')} value={withoutQuotes(row.etag)} canCopy isMono />
        <DetailField name={t('objects.details.key')} value={row.key} isKey canCopy />
      </dl>
      <Cost place={place} rows={[row]} onShowMap={onShowMap} />
      <HeadDetails place={place} row={row} />
      <Addresses place={place} objectKey={row.key} />
    </>
  );
}

/** Shows an image's thumbnail. Other objects have an icon next to the name. */
function Picture({ place, row }: Pick<DetailsPaneProps, 'place'> & { readonly row: FolderRow }) {
  if (thumbnailKind(row) === 'none') return null;
  return (
    <Group wrap="nowrap" gap={0} justify="center" h={190}>
      <LazyThumbnail place={place} row={row} isFolder={false} isInSight iconPx={64} isOption={false} />
    </Group>
  );
}
