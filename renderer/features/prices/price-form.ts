import {
  accountFigures,
  figureNames,
  type AccountFigure,
  type Figure,
  type FigureName,
  type GbUnit,
  type PriceList,
} from '../../../shared/models/prices.ts';
import { checkPriceList, type PriceProblem } from '../../../shared/pricing/check.ts';

/** A typed figure, with its source. Typing another value drops the marks and price steps that belong to the shipped value. */
export interface DraftFigure extends Pick<Figure, 'date' | 'source' | 'isUnchecked' | 'steps'> {
  readonly text: string;
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
  readonly account: Readonly<Record<AccountFigure, DraftFigure>>;
  readonly classes: readonly DraftClass[];
}

const nothing: DraftFigure = { text: '', date: '', source: '' };

/** Figures that few services have, such as those for archives. They are shown last. */
export const archiveFigures: readonly FigureName[] = figureNames.slice(
  figureNames.indexOf('standardRestorePerGb'),
);
export const usualFigures: readonly FigureName[] = figureNames.filter(
  (name) => !archiveFigures.includes(name),
);

export function newClass(storageClass: string): DraftClass {
  return { storageClass, figures: unknown(figureNames) };
}

function unknown<Name extends string>(names: readonly Name[]): Record<Name, DraftFigure> {
  return Object.fromEntries(names.map((name) => [name, nothing])) as Record<Name, DraftFigure>;
}

function draftsOf<Name extends string>(
  names: readonly Name[],
  figures: Readonly<Partial<Record<Name, Figure>>>,
): Record<Name, DraftFigure> {
  const made = unknown(names);
  for (const name of names) {
    const known = figures[name];
    if (known !== undefined) made[name] = draftFigure(known);
  }
  return made;
}

function figuresOf<Name extends string>(
  names: readonly Name[],
  drafts: Readonly<Record<Name, DraftFigure>>,
): Partial<Record<Name, Figure>> {
  const known: Partial<Record<Name, Figure>> = {};
  for (const name of names) {
    const figure = figureOf(drafts[name]);
    if (figure !== null) known[name] = figure;
  }
  return known;
}

export function emptyDraft(name: string): Draft {
  return {
    name,
    currency: 'USD',
    unit: 'GB',
    trafficPerGb: nothing,
    account: unknown(accountFigures),
    classes: [newClass('STANDARD')],
  };
}

export function priceDraftOf(list: PriceList): Draft {
  return {
    ...list,
    trafficPerGb: list.trafficPerGb === null ? nothing : draftFigure(list.trafficPerGb),
    account: draftsOf(accountFigures, list.account ?? {}),
    classes: list.classes.map(({ storageClass, figures }) => ({
      storageClass,
      figures: draftsOf(figureNames, figures),
    })),
  };
}

function draftFigure({ value, ...about }: Figure): DraftFigure {
  return { text: plainNumber(value), ...about };
}

/** Formats a number without an exponent, such as 0.0000004 for 4e-7. */
function plainNumber(value: number): string {
  return value.toFixed(10).replace(/\.?0+$/, '');
}

/** Returns a figure typed by the user, with today's date and without a source. */
export function typedFigure(text: string, nowMs: number): DraftFigure {
  return { text, date: new Date(nowMs).toISOString().slice(0, 10), source: '' };
}

/**
 * Converts the draft to a price list, and returns its problems. A text that is not a number becomes NaN, which fails every check.
 */
export function readPriceDraft(draft: Draft): {
  readonly list: PriceList;
  readonly problems: readonly PriceProblem[];
} {
  const account = figuresOf(accountFigures, draft.account);
  const list: PriceList = {
    name: draft.name.trim(),
    currency: draft.currency.trim().toUpperCase(),
    unit: draft.unit,
    trafficPerGb: figureOf(draft.trafficPerGb),
    ...(Object.keys(account).length === 0 ? {} : { account }),
    classes: draft.classes.map(({ storageClass, figures }) => ({
      storageClass: storageClass.trim(),
      figures: figuresOf(figureNames, figures),
    })),
  };
  return { list, problems: checkPriceList(list) };
}

function figureOf({ text, ...about }: DraftFigure): Figure | null {
  const plain = text.trim().replace(',', '.');
  return plain === '' ? null : { value: Number(plain), ...about };
}
