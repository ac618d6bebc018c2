import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Duplicates } from '../../../shared/models/map.ts';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { formatBytes, formatCount, formatDate } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { MapSideProps } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

const shownRows = 20;

interface MapSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a panel under its heading. */
export function MapSection({ title, children }: MapSectionProps) {
  return (
    <section aria-label={title}>
      <h2 className={joinClasses(common.hint, common.strong, classes.heading)}>{title}</h2>
      {children}
    </section>
  );
}

/** Says how many entries the list above does not show. */
export function AndMore({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  return count > 0 ? <p className={classes.quiet}>{t('common.andMore', { count })}</p> : null;
}

/** Lists notable objects: the largest, the oldest, and duplicates. */
export function MapLists(props: MapSideProps) {
  const { facts } = props;
  const { t } = useTranslation();
  if (facts === null) return null;
  return (
    <div className={joinClasses(common.column, classes.totals)}>
      <ObjectList
        {...props}
        title={t('map.largest')}
        rows={facts.largest}
        limit={facts.largestOf}
        shows="size"
      />
      <ObjectList
        {...props}
        title={t('map.oldest')}
        rows={facts.oldest}
        limit={facts.oldestOf}
        shows="time"
      />
      <DuplicateList
        key={JSON.stringify([props.mapId, props.place.folder, props.status?.revision])}
        {...props}
      />
    </div>
  );
}

interface ListProps extends MapSideProps {
  readonly title: string;
  readonly rows: readonly ObjectEntry[];
  /** The number of objects in the whole map after which the list was cut, or null for a complete list. */
  readonly limit: number | null;
  readonly shows: 'size' | 'time';
}

function ObjectList({ title, rows, limit, shows, place, services, onMenu }: ListProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, shownRows);
  return (
    <MapSection title={title}>
      {limit === null ? null : (
        <p className={classes.quiet}>
          {t(`map.listed.${shows}`, { number: formatCount(rows.length), limit: formatCount(limit) })}
        </p>
      )}
      <ul className={common.column}>
        {shown.map(({ key, sizeBytes, lastModified, storageClass }) => (
          <li key={key}>
            <button
              type="button"
              className={classes.objectLine}
              title={key}
              onClick={() => services.openObject(key)}
              onContextMenu={(event) => {
                event.preventDefault();
                onMenu(
                  { kind: 'object', key, sizeBytes, modified: lastModified, storageClass },
                  { x: event.clientX, y: event.clientY },
                );
              }}
            >
              <span className={common.label}>
                <KeyText name={key.slice(place.folder.length)} />
              </span>
              <span className={classes.quiet}>
                {shows === 'size'
                  ? formatBytes(sizeBytes)
                  : lastModified === null
                    ? t('common.unknown')
                    : formatDate(lastModified)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shownRows && !isWhole ? (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          {t('map.more', { count: rows.length, number: formatCount(rows.length) })}
        </Button>
      ) : null}
    </MapSection>
  );
}

function DuplicateList({ place, mapId, status, services }: MapSideProps) {
  const { t } = useTranslation();
  const [found, setFound] = useState<Duplicates | null>(null);
  const [isSearching, setSearching] = useState(false);
  const { folder } = place;
  return (
    <MapSection title={t('map.duplicates.title')}>
      <p className={classes.quiet}>{t('map.duplicates.body')}</p>
      {found === null ? (
        <Button
          variant="default"
          loading={isSearching}
          disabled={status?.isComplete !== true}
          onClick={() => {
            setSearching(true);
            sayingFailure(async () => {
              try {
                setFound(await rpc.map.duplicates({ mapId, folder }));
              } finally {
                setSearching(false);
              }
            });
          }}
        >
          {t('map.duplicates.find')}
        </Button>
      ) : found.kind === 'no-catalogue' ? (
        <p>{t('map.duplicates.noCatalogue')}</p>
      ) : (
        <>
          <p>
            {t('map.duplicates.found', {
              count: found.extraCopies,
              number: formatCount(found.extraCopies),
              size: formatBytes(found.extraBytes),
            })}
          </p>
          {found.isExact ? null : <p className={classes.quiet}>{t('map.duplicates.notExact')}</p>}
          <ul className={common.column}>
            {found.largest.map((group) => (
              <li key={group.keys[0]} className={classes.group}>
                <span className={classes.quiet}>
                  {t('map.duplicates.group', {
                    count: group.copies,
                    number: formatCount(group.copies),
                    size: formatBytes(group.sizeBytes),
                  })}
                </span>
                {group.keys.map((key) => (
                  <button
                    key={key}
                    type="button"
                    className={classes.link}
                    title={key}
                    onClick={() => services.openObject(key)}
                  >
                    <KeyText name={key.slice(folder.length)} />
                  </button>
                ))}
                <AndMore count={group.copies - group.keys.length} />
              </li>
            ))}
          </ul>
          <AndMore count={found.groups - found.largest.length} />
        </>
      )}
    </MapSection>
  );
}
