import { Anchor, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AccountFigure, FigureName } from '../../../shared/models/prices.ts';
import type { PriceProblem } from '../../../shared/pricing/check.ts';
import common from '../../ui/common.module.css';
import { formatCount } from '../../ui/words/format.ts';
import {
  archiveFigures,
  typedFigure,
  usualFigures,
  type DraftClass,
  type DraftFigure,
} from './price-form.ts';
import classes from './prices.module.css';

export type ProblemOf = (
  storageClass: string,
  figure: FigureName | AccountFigure | 'trafficPerGb' | null,
  fault?: PriceProblem['fault'],
) => string | null;

interface FiguresProps {
  /** The unit of sizes, by its name. */
  readonly unit: string;
  readonly shown: DraftClass;
  readonly onChange: (next: DraftClass) => void;
  readonly errorOf: ProblemOf;
}

export function Figures({ unit, shown, onChange, errorOf }: FiguresProps) {
  const { t } = useTranslation();
  const field = (name: FigureName) => (
    <FigureField
      unit={unit}
      key={name}
      label={t(`prices.figures.${name}`, { unit })}
      figure={shown.figures[name]}
      error={errorOf(shown.storageClass.trim(), name)}
      onChange={(figure) => onChange({ ...shown, figures: { ...shown.figures, [name]: figure } })}
    />
  );
  return (
    <>
      <div className={classes.figures}>{usualFigures.map(field)}</div>
      <details>
        <summary className={common.quiet}>{t('prices.form.more')}</summary>
        <div className={classes.figures}>{archiveFigures.map(field)}</div>
      </details>
    </>
  );
}

interface FigureFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly figure: DraftFigure;
  readonly error: string | null;
  readonly onChange: (figure: DraftFigure) => void;
}

export function FigureField({ label, unit, figure, error, onChange }: FigureFieldProps) {
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder="—"
      value={figure.text}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={<Origin figure={figure} unit={unit} />}
      onChange={(event) => onChange(typedFigure(event.currentTarget.value, Date.now()))}
    />
  );
}

/** Shows the source and the date of a figure. */
function Origin({ figure, unit }: { readonly figure: DraftFigure; readonly unit: string }) {
  const { text, date, source, isUnchecked, steps } = figure;
  const { t } = useTranslation();
  if (text.trim() === '') return <span>{t('prices.unknown')}</span>;
  if (source === '')
    return <span>{[t('prices.form.ownSource'), date].filter((part) => part !== '').join(', ')}</span>;
  return (
    <span title={source}>
      {date}
      {' · '}
      <Anchor href={source} target="_blank" rel="noreferrer" size="xs">
        {hostOf(source)}
      </Anchor>
      {isUnchecked === true ? ` · ${t('prices.form.unchecked')}` : null}
      {(steps ?? []).map(({ aboveGb, value }) => (
        <span key={aboveGb}>
          {' · '}
          {t('prices.form.step', { size: formatCount(aboveGb), unit, value })}
        </span>
      ))}
    </span>
  );
}

function hostOf(source: string): string {
  return URL.parse(source)?.host ?? source;
}
