import { Button, Flex } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { fileKinds } from '../../../shared/keys/file-kind.ts';
import { ageGroups, sizeGroupEnds, sizeGroups } from '../../../shared/models/map-groups.ts';
import { everyKind, type MapMeasure, type MapSum } from '../../../shared/models/map.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { groupColour } from './colours.ts';
import { histogramOf } from './charts.ts';
import { MapCost } from './map-cost.tsx';
import { groupText, formatBytes, formatCount, formatShare } from '../../ui/words/format.ts';
import { MapSection } from './map-lists.tsx';
import type { MapSideProps } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

type Dimension = 'kind' | 'age' | 'storageClass';

/** The filter's field for each legend. */
const fields = { kind: 'kinds', age: 'ages', storageClass: 'storageClasses' } as const;

export function groupName(dimension: Dimension, group: string, t: TFunction): string {
  switch (dimension) {
    case 'kind':
      return t(`map.kinds.${fileKinds.find((kind) => kind === group) ?? 'file'}`);
    case 'age':
      return t(`map.ages.${ageGroups.find((age) => age === group) ?? 'unknown'}`);
    case 'storageClass':
      return groupText(group, t);
    default:
      return dimension satisfies never;
  }
}

/** Shows totals by type, age and storage class. They are the treemap's legends, and each line can be shown alone. */
export function MapTotals(props: MapSideProps) {
  const { facts, filter, onFilter } = props;
  const { t } = useTranslation();
  if (facts === null) return null;
  const isFiltered = filter.kinds !== null || filter.ages !== null || filter.storageClasses !== null;
  const ages = ageGroups.flatMap((age) => facts.byAge.filter(({ name }) => name === age));
  return (
    <div className={joinClasses(common.column, classes.totals)}>
      <p className={classes.big}>{formatBytes(facts.sizeBytes)}</p>
      <p className={classes.quiet}>
        {t('map.objects', { count: facts.objects, number: formatCount(facts.objects) })}
        {' · '}
        {t('map.folders', { count: facts.folders, number: formatCount(facts.folders) })}
      </p>
      {isFiltered ? (
        <Button variant="light" onClick={() => onFilter(everyKind)}>
          {t('map.showAll')}
        </Button>
      ) : null}
      <MapCost {...props} />
      <Legend {...props} dimension="kind" sums={facts.byKind} />
      <Histogram sums={facts.byMonth} />
      <Legend {...props} dimension="age" sums={ages} />
      <Legend {...props} dimension="storageClass" sums={facts.byStorageClass} />
      <Sums
        title={t('map.by.size')}
        sums={facts.bySize}
        nameOf={(group) => sizeGroupName(group, t)}
        measure={props.measure}
      />
      {facts.byOwner.every(({ name }) => name === '') ? null : (
        <Sums
          title={t('map.by.owner')}
          sums={facts.byOwner}
          nameOf={(owner) => (owner === '' ? t('map.ages.unknown') : groupText(owner, t))}
          measure={props.measure}
        />
      )}
      {facts.emptyFolders.total === 0 ? null : (
        <MapSection title={t('map.emptyFolders.title')}>
          <p className={classes.quiet}>
            {t('map.emptyFolders.body', {
              count: facts.emptyFolders.total,
              number: formatCount(facts.emptyFolders.total),
            })}
          </p>
          <ul className={common.column}>
            {facts.emptyFolders.examples.slice(0, 20).map((folder) => (
              <li key={folder}>
                <button
                  type="button"
                  className={classes.link}
                  onClick={() => props.services.openFolder(folder, false)}
                >
                  {folder}
                </button>
              </li>
            ))}
          </ul>
        </MapSection>
      )}
    </div>
  );
}

function sizeGroupName(group: string, t: TFunction): string {
  const end = sizeGroupEnds[sizeGroups.findIndex((size) => size === group)];
  if (end !== undefined) return t('map.sizes.below', { size: formatBytes(end) });
  return t('map.sizes.larger', { size: formatBytes(sizeGroupEnds.at(-1) ?? 0) });
}

interface SumsProps {
  readonly title: string;
  readonly sums: readonly MapSum[];
  readonly nameOf: (name: string) => string;
  readonly measure: MapMeasure;
}

/** Shows totals by a property for which the treemap has no colours. */
function Sums({ title, sums, nameOf, measure }: SumsProps) {
  const whole = wholeOf(sums, measure);
  return (
    <MapSection title={title}>
      <ul className={common.column}>
        {sums.map((sum) => (
          <li key={sum.name} className={classes.sumLine}>
            <span className={common.label} title={nameOf(sum.name)}>
              {nameOf(sum.name)}
            </span>
            <SumFigures sum={sum} whole={whole} measure={measure} />
          </li>
        ))}
      </ul>
    </MapSection>
  );
}

function valueOf({ sizeBytes, objects }: MapSum, measure: MapMeasure): number {
  return measure === 'size' ? sizeBytes : objects;
}

function wholeOf(sums: readonly MapSum[], measure: MapMeasure): number {
  return sums.reduce((total, sum) => total + valueOf(sum, measure), 0);
}

interface SumFiguresProps extends Pick<SumsProps, 'measure'> {
  readonly sum: MapSum;
  /** The size or number of all groups. */
  readonly whole: number;
}

/** Shows the size or number of one group, and its share of all groups. */
function SumFigures({ sum, whole, measure }: SumFiguresProps) {
  return (
    <>
      <span className={classes.quiet}>
        {measure === 'size' ? formatBytes(sum.sizeBytes) : formatCount(sum.objects)}
      </span>
      <span className={classes.share}>{formatShare(whole === 0 ? 0 : valueOf(sum, measure) / whole)}</span>
    </>
  );
}

interface LegendProps extends MapSideProps {
  readonly dimension: Dimension;
  readonly sums: readonly MapSum[];
}

/**
 * A legend. Clicking a line colours the map by this dimension and shows only the line's group. Clicking again shows all groups.
 */
function Legend({ dimension, sums, filter, colouring, measure, ...props }: LegendProps) {
  const { t } = useTranslation();
  const chosen: readonly string[] | null = filter[fields[dimension]];
  const whole = wholeOf(sums, measure);
  const toggle = (name: string): void => {
    const next =
      chosen?.includes(name) === true
        ? chosen.filter((chosenName) => chosenName !== name)
        : [...(chosen ?? []), name];
    const shownGroups = next.length === 0 ? null : next;
    props.onColouring(dimension);
    props.onFilter({ ...filter, [fields[dimension]]: shownGroups });
  };
  return (
    <MapSection title={t(`map.by.${dimension}`)}>
      <ul className={common.column}>
        {sums.map((sum) => (
          <li key={sum.name}>
            <button
              type="button"
              className={classes.legendLine}
              aria-pressed={chosen?.includes(sum.name) === true}
              data-off={chosen !== null && !chosen.includes(sum.name)}
              onClick={() => toggle(sum.name)}
            >
              <span
                className={classes.swatch}
                data-used={colouring === dimension}
                style={{ background: groupColour(dimension, sum.name, props.storageClasses) }}
                aria-hidden
              />
              <span className={common.label}>{groupName(dimension, sum.name, t)}</span>
              <SumFigures sum={sum} whole={whole} measure={measure} />
            </button>
          </li>
        ))}
      </ul>
    </MapSection>
  );
}

const barsPx = 64;

/** Shows a histogram of bytes by the time of the last change. */
function Histogram({ sums }: { readonly sums: readonly MapSum[] }) {
  const { t } = useTranslation();
  const bars = histogramOf(sums);
  const maxBytes = Math.max(1, ...bars.map(({ sizeBytes }) => sizeBytes));
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <MapSection title={t('map.histogram')}>
      <Flex align="flex-end" gap={2} style={{ height: barsPx }} aria-hidden>
        {bars.map(({ name, sizeBytes, objects }) => (
          <span
            key={name}
            className={classes.histogramBar}
            title={`${name}: ${formatBytes(sizeBytes)} · ${formatCount(objects)}`}
            style={{ height: Math.max(objects > 0 ? 2 : 0, (sizeBytes / maxBytes) * barsPx) }}
          />
        ))}
      </Flex>
      <div className={classes.barEnds}>
        <span>{first.name}</span>
        <span>{last.name}</span>
      </div>
    </MapSection>
  );
}
