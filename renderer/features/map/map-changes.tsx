import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangeSums, Changes, GrowthPoint } from '../../../shared/models/map.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { formatBytes, formatCount, formatDate } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { growthLine } from './charts.ts';
import { AndMore, MapSection } from './map-lists.tsx';
import type { MapSideProps } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

/** Shows what was added or removed, or has grown, between two catalogues, and the growth over time. */
export function MapChanges({ place, status, services }: MapSideProps) {
  const { t } = useTranslation();
  const { connectionId, bucket, folder } = place;
  const known = useQuery({
    // The key includes the visible catalogue, so that a new catalogue reloads the list.
    queryKey: ['catalogues', connectionId, bucket, status?.takenAt, status?.kept],
    queryFn: () => rpc.map.list({ connectionId, bucket }),
  });
  const catalogues = (known.data?.catalogues ?? []).filter(({ prefix }) => folder.startsWith(prefix));
  const [chosen, setChosen] = useState<{ readonly before: string; readonly after: string } | null>(null);
  const after = catalogues.find(({ catalogueId }) => catalogueId === chosen?.after) ?? catalogues[0];
  const before =
    catalogues.find(({ catalogueId }) => catalogueId === chosen?.before) ??
    catalogues.find((catalogue) => after !== undefined && catalogue.takenAt < after.takenAt);
  const request = {
    connectionId,
    bucket,
    folder,
    beforeId: before?.catalogueId ?? '',
    afterId: after?.catalogueId ?? '',
  };
  const changes = useQuery({
    queryKey: ['catalogue-changes', request],
    queryFn: ({ signal }) => rpc.map.changes(request, { signal }),
    enabled: before !== undefined && after !== undefined,
    staleTime: Infinity,
  });
  const growth = (known.data?.growth ?? []).filter(({ prefix }) => prefix === (after?.prefix ?? ''));
  const options = catalogues.map(({ catalogueId, takenAt }) => ({
    value: catalogueId,
    label: formatDate(takenAt),
  }));
  if (known.error !== null) return <FailureNotice error={known.error} />;
  return (
    <div className={joinClasses(common.column, classes.totals)}>
      <Growth points={growth} />
      {before === undefined || after === undefined ? (
        <p className={classes.quiet}>{t(status?.kept === 'off' ? 'map.changes.off' : 'map.changes.none')}</p>
      ) : (
        <>
          <div className={classes.pair}>
            <NativeSelect
              size="xs"
              label={t('map.changes.before')}
              value={before.catalogueId}
              data={options}
              onChange={({ currentTarget }) =>
                setChosen({ before: currentTarget.value, after: after.catalogueId })
              }
            />
            <NativeSelect
              size="xs"
              label={t('map.changes.after')}
              value={after.catalogueId}
              data={options}
              onChange={({ currentTarget }) =>
                setChosen({ before: before.catalogueId, after: currentTarget.value })
              }
            />
          </div>
          <FailureNotice error={changes.error} />
          {changes.data === undefined ? null : (
            <ChangeList
              changes={changes.data}
              onOpen={(name) => services.openFolder(`${folder}${name}/`, false)}
            />
          )}
        </>
      )}
    </div>
  );
}

function ChangeList({
  changes,
  onOpen,
}: {
  readonly changes: Changes;
  readonly onOpen: (name: string) => void;
}) {
  const { t } = useTranslation();
  const { total, folders, folderCount, objects } = changes;
  const objectCount = total.addedObjects + total.removedObjects + total.changedObjects;
  if (objectCount === 0) return <p>{t('map.changes.same')}</p>;
  return (
    <>
      <dl className={classes.sums}>
        <dt>{t('map.changes.added')}</dt>
        <dd>{amount(total.addedObjects, total.addedBytes)}</dd>
        <dt>{t('map.changes.removed')}</dt>
        <dd>{amount(total.removedObjects, total.removedBytes)}</dd>
        <dt>{t('map.changes.changed')}</dt>
        <dd>{`${formatCount(total.changedObjects)} · ${signed(total.changedBytes)}`}</dd>
      </dl>
      <MapSection title={t('map.changes.folders')}>
        <ul className={common.column}>
          {folders.map((folder) => (
            <li key={folder.name}>
              <button
                type="button"
                className={classes.objectLine}
                disabled={folder.name === ''}
                onClick={() => onOpen(folder.name)}
              >
                <span className={common.label}>
                  {folder.name === '' ? t('map.changes.here') : <KeyText name={folder.name} />}
                </span>
                <span className={classes.quiet} title={countsOf(folder)}>
                  {signed(folder.addedBytes - folder.removedBytes + folder.changedBytes)}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <AndMore count={folderCount - folders.length} />
      </MapSection>
      <MapSection title={t('map.changes.objects')}>
        <ul className={common.column}>
          {objects.map(({ key, kind, beforeBytes, afterBytes }) => (
            <li key={key} className={classes.objectLine} title={key}>
              <span className={classes.quiet}>{t(`map.changes.kinds.${kind}`)}</span>
              <span className={common.label}>
                <KeyText name={key} />
              </span>
              <span className={classes.quiet}>{signed((afterBytes ?? 0) - (beforeBytes ?? 0))}</span>
            </li>
          ))}
        </ul>
        <AndMore count={objectCount - objects.length} />
      </MapSection>
    </>
  );
}

const amount = (objects: number, sizeBytes: number): string =>
  `${formatCount(objects)} · ${formatBytes(sizeBytes)}`;

function signed(sizeBytes: number): string {
  if (sizeBytes === 0) return formatBytes(0);
  return `${sizeBytes > 0 ? '+' : '−'}${formatBytes(Math.abs(sizeBytes))}`;
}

function countsOf({ addedObjects, removedObjects, changedObjects }: ChangeSums): string {
  return `+${formatCount(addedObjects)} −${formatCount(removedObjects)} ±${formatCount(changedObjects)}`;
}

const linePx = { wide: 260, high: 60 };

/** A line of the bucket's size at each time a catalogue was made. */
function Growth({ points }: { readonly points: readonly GrowthPoint[] }) {
  const { t } = useTranslation();
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const label = t('map.growth.label', {
    from: formatBytes(first.sizeBytes),
    to: formatBytes(last.sizeBytes),
    since: formatDate(first.takenAt),
  });
  return (
    <MapSection title={t('map.growth.title')}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 -2 ${String(linePx.wide)} ${String(linePx.high + 4)}`}
        className={classes.line}
        preserveAspectRatio="none"
      >
        <polyline points={growthLine(points, linePx.wide, linePx.high)} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className={classes.quiet}>{label}</p>
    </MapSection>
  );
}
