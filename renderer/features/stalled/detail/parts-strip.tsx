import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { partStates, type PartRun, type PartState } from '../../../../shared/models/stalled.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatCount } from '../../../ui/words/format.ts';
import { countStates, partAt, partsInRuns, runOf, stripRects } from './strip-geometry.ts';
import classes from '../stalled-dialogs.module.css';

const heightPx = 34;

interface Props {
  readonly runs: readonly PartRun[];
}

/** Draws the parts as a bar. States differ by pattern as well as by colour. */
export function PartsStrip({ runs }: Props) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const id = useId();
  const rects = useMemo(() => stripRects(runs, width), [runs, width]);
  const total = partsInRuns(runs);
  const counts = countStates(runs);
  const present = partStates.filter((state) => counts[state] !== undefined);

  if (total === 0)
    return (
      <Box py="xs" c="dimmed" fz="sm">
        {t('stalled.strip.none')}
      </Box>
    );
  const described = present.map((state) => legendText(state, counts[state] ?? 0, t)).join(', ');
  const alternative = `${t('stalled.strip.label')}. ${t('stalled.strip.altCounts', {
    total: t('stalled.strip.parts', { count: total }),
    counts: described,
  })}`;
  const run = pointed === null ? null : runOf(runs, pointed);

  return (
    <div className={classes.stripFrame}>
      <div ref={ref}>
        <svg
          role="img"
          aria-label={alternative}
          width="100%"
          height={heightPx}
          display="block"
          viewBox={`0 0 ${String(Math.max(1, width))} ${String(heightPx)}`}
          preserveAspectRatio="none"
          onPointerMove={(event) =>
            setPointed(partAt(runs, width, event.clientX - event.currentTarget.getBoundingClientRect().left))
          }
          onPointerLeave={() => setPointed(null)}
        >
          <Patterns id={id} />
          {rects.map(({ x, width: wide, state, from }) => (
            <StripPiece key={from} id={id} x={x} width={wide} state={state} />
          ))}
        </svg>
      </div>
      <div className={joinClasses(common.hint, common.numbers, classes.scale)} aria-hidden>
        <span>{t('stalled.strip.first')}</span>
        {run === null ? null : (
          <span data-here>
            {t(run.from === run.to ? 'stalled.strip.run.one' : 'stalled.strip.run.many', {
              from: formatCount(run.from),
              to: formatCount(run.to),
              state: t(`stalled.strip.state.${run.state}`),
            })}
          </span>
        )}
        <span>{t('stalled.strip.last', { count: total })}</span>
      </div>
      <ul className={joinClasses(common.wrap, classes.legend)} aria-label={t('stalled.strip.legend')}>
        {present.map((state) => (
          <li key={state} className={common.row}>
            <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden>
              <StripPiece id={id} x={0} width={14} state={state} height={14} />
            </svg>
            {legendText(state, counts[state] ?? 0, t)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function legendText(state: PartState, count: number, t: TFunction): string {
  return t('stalled.strip.legendItem', {
    label: t(`stalled.strip.state.${state}`),
    number: formatCount(count),
  });
}

interface PieceProps {
  readonly id: string;
  readonly x: number;
  readonly width: number;
  readonly state: PartState;
  readonly height?: number;
}

function StripPiece({ id, x, width, state, height = heightPx }: PieceProps) {
  const box = { x, width };
  switch (state) {
    case 'too-small':
      // Draws a part that is too small at a lower height than the other parts.
      return (
        <>
          <rect {...box} y={0} height={height} fill="var(--cooper-raised)" />
          <rect {...box} y={height * 0.55} height={height * 0.45} fill="var(--part-small)" />
        </>
      );
    case 'missing':
    case 'differs':
    case 'unverifiable':
      return <rect {...box} y={0} height={height} fill={`url(#${id}${state})`} />;
    default:
      return <rect {...box} y={0} height={height} fill={`var(--part-${state})`} />;
  }
}

function Patterns({ id }: { readonly id: string }) {
  const size = { width: 7, height: 7, patternUnits: 'userSpaceOnUse' } as const;
  return (
    <defs>
      <pattern id={`${id}missing`} {...size}>
        <rect width={7} height={7} fill="var(--cooper-surface)" />
        <path d="M-1 8 L8 -1 M-1 1 L1 -1 M6 8 L8 6" stroke="var(--part-missing)" strokeWidth={1.5} />
      </pattern>
      <pattern id={`${id}differs`} {...size}>
        <rect width={7} height={7} fill="var(--part-differs)" />
        <path d="M0 0 L7 7 M7 0 L0 7" stroke="var(--cooper-surface)" strokeWidth={1.5} opacity={0.75} />
      </pattern>
      <pattern id={`${id}unverifiable`} {...size}>
        <rect width={7} height={7} fill="var(--part-unproved)" />
        <circle cx={3.5} cy={3.5} r={1.3} fill="var(--cooper-surface)" opacity={0.75} />
      </pattern>
    </defs>
  );
}
