import {
  accountFigures,
  figureNames,
  type AccountFigure,
  type Figure,
  type FigureName,
  type PriceList,
} from '../models/prices.ts';

export type PriceFault =
  'name' | 'currency' | 'class-empty' | 'class-twice' | 'negative' | 'too-large' | 'no-class' | 'steps';

export interface PriceProblem {
  readonly fault: PriceFault;
  /** '' if the problem concerns the whole list. */
  readonly storageClass: string;
  /** Null if the problem does not concern one figure. */
  readonly figure: FigureName | AccountFigure | 'trafficPerGb' | null;
}

/** Larger values are assumed to be typing errors, in any currency. */
const maxPrice = 1e9;

/** Returns true if amounts can be formatted in the currency (ISO 4217). */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code);
}

/** Returns the faults that make a price list unusable, each with its location. Empty for a usable list. */
export function checkPriceList(list: PriceList): readonly PriceProblem[] {
  const problems: PriceProblem[] = [];
  const add = (fault: PriceFault, storageClass = '', figure: PriceProblem['figure'] = null): void => {
    problems.push({ fault, storageClass, figure });
  };
  const checkValue = (value: number, storageClass: string, figure: PriceProblem['figure']): void => {
    if (!(value >= 0)) add('negative', storageClass, figure);
    else if (value > maxPrice) add('too-large', storageClass, figure);
  };
  if (list.name.trim() === '') add('name');
  if (!isCurrency(list.currency)) add('currency');
  const checkFigure = (figureValue: Figure, storageClass: string, figure: PriceProblem['figure']): void => {
    checkValue(figureValue.value, storageClass, figure);
    for (const { value } of figureValue.steps ?? []) checkValue(value, storageClass, figure);
    const bounds = [0, ...(figureValue.steps ?? []).map(({ aboveGb }) => aboveGb)];
    if (bounds.some((bound, at) => at > 0 && !(bound > (bounds[at - 1] ?? 0))))
      add('steps', storageClass, figure);
  };
  if (list.trafficPerGb !== null) checkFigure(list.trafficPerGb, '', 'trafficPerGb');
  for (const name of accountFigures) {
    const figure = list.account?.[name];
    if (figure !== undefined) checkFigure(figure, '', name);
  }
  if (list.classes.length === 0) add('no-class');
  const seen = new Set<string>();
  for (const { storageClass, figures } of list.classes) {
    if (storageClass.trim() === '') add('class-empty');
    else if (seen.has(storageClass)) add('class-twice', storageClass);
    seen.add(storageClass);
    for (const name of figureNames) {
      const figure = figures[name];
      if (figure !== undefined) checkFigure(figure, storageClass, name);
    }
  }
  return problems;
}
