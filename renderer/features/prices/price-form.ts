import {
  figureNames,
  type Figure,
  type FigureName,
  type GbUnit,
  type PriceList,
} from '../../../shared/models/prices.ts';
import { checkPriceList, type PriceProblem } from '../../../shared/pricing/check.ts';

/** A figure as it is typed, and where it is from. */
export interface DraftFigure {
  readonly text: string;
  readonly date: string;
  readonly source: string;
}

export interface DraftClass {
  readonly storageClass: string;
  readonly figures: Readonly<Record<FigureName, DraftFigure>>;
}

/** A price list that is being typed. */
export interface Draft {
  readonly name: string;
  readonly currency: string;
  readonly unit: GbUnit;
  readonly trafficPerGb: DraftFigure;
  readonly classes: readonly DraftClass[];
}

const nothing: DraftFigure = { text: '', date: '', source: '' };

/** Figures of archives, and what few services have: they are shown last. */
export const rareFigures: readonly FigureName[] = figureNames.slice(
  figureNames.indexOf('standardRestorePerGb'),
);
export const usualFigures: readonly FigureName[] = figureNames.filter((name) => !rareFigures.includes(name));

export function newClass(storageClass: string): DraftClass {
  const figures = Object.fromEntries(figureNames.map((name) => [name, nothing])) as Record<
    FigureName,
    DraftFigure
  >;
  return { storageClass, figures };
}

export function emptyDraft(name: string): Draft {
  return { name, currency: 'USD', unit: 'GB', trafficPerGb: nothing, classes: [newClass('STANDARD')] };
}

export function draftOf(list: PriceList): Draft {
  return {
    ...list,
    trafficPerGb: list.trafficPerGb === null ? nothing : draftFigure(list.trafficPerGb),
    classes: list.classes.map(({ storageClass, figures }) => {
      const made = { ...newClass(storageClass).figures };
      for (const name of figureNames) {
        const known = figures[name];
        if (known !== undefined) made[name] = draftFigure(known);
      }
      return { storageClass, figures: made };
    }),
  };
}

function draftFigure({ value, date, source }: Figure): DraftFigure {
  return { text: plainNumber(value), date, source };
}

/** Without an exponent, which nobody would type: 0.0000004, not 4e-7. */
function plainNumber(value: number): string {
  return value.toFixed(10).replace(/\.?0+$/, '');
}

/** What was typed instead of a figure is the user's own, of this day. */
export function typed(text: string, nowMs: number): DraftFigure {
  return { text, date: new Date(nowMs).toISOString().slice(0, 10), source: '' };
}

/** The list, and what is wrong with it. A text that is no number becomes NaN, which no check lets pass. */
export function listOf(draft: Draft): {
  readonly list: PriceList;
  readonly problems: readonly PriceProblem[];
} {
  const list: PriceList = {
    name: draft.name.trim(),
    currency: draft.currency.trim().toUpperCase(),
    unit: draft.unit,
    trafficPerGb: figureOf(draft.trafficPerGb),
    classes: draft.classes.map(({ storageClass, figures }) => {
      const known: Partial<Record<FigureName, Figure>> = {};
      for (const name of figureNames) {
        const figure = figureOf(figures[name]);
        if (figure !== null) known[name] = figure;
      }
      return { storageClass: storageClass.trim(), figures: known };
    }),
  };
  return { list, problems: checkPriceList(list) };
}

function figureOf({ text, date, source }: DraftFigure): Figure | null {
  const plain = text.trim().replace(',', '.');
  return plain === '' ? null : { value: Number(plain), date, source };
}
