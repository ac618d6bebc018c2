import type {
  AccountFigure,
  Figure,
  FigureName,
  Holding,
  PriceList,
  SmallestSize,
} from '../models/prices.ts';
import type { RestoreTier } from '../models/properties.ts';
import { archiveClasses } from '../models/storage-classes.ts';

/** A price that an estimate needs and the list lacks. */
export interface MissingPrice {
  readonly storageClass: string;
  /** `class`: the list does not have the class. */
  readonly figure: FigureName | AccountFigure | 'trafficPerGb' | 'class';
}

/** An estimate. With missing prices, the amount leaves those items out and is a lower bound. */
export interface Cost {
  readonly amount: number;
  readonly missing: readonly MissingPrice[];
}

/** 730 hours, the month by which Amazon bills. */
export const daysPerMonth = 30.4;
const dayMs = 24 * 60 * 60 * 1000;

const tierFigures = {
  Standard: ['standardRestorePerGb', 'standardRestorePer1000'],
  Bulk: ['bulkRestorePerGb', 'bulkRestorePer1000'],
  Expedited: ['expeditedRestorePerGb', 'expeditedRestorePer1000'],
} as const satisfies Record<RestoreTier, readonly [FigureName, FigureName]>;

/** Returns the price of an amount. With `steps`, units beyond each step have another price. */
export function steppedPrice({ value, steps = [] }: Pick<Figure, 'value' | 'steps'>, units: number): number {
  let amount = 0;
  let from = 0;
  let price = value;
  for (const step of steps) {
    if (units <= step.aboveGb) break;
    amount += (step.aboveGb - from) * price;
    from = step.aboveGb;
    price = step.value;
  }
  return amount + (units - from) * price;
}

/** Adds up units, prices their totals, and records each missing price once. */
class Sum {
  readonly #list: PriceList;
  readonly #missing = new Map<string, MissingPrice>();
  /** The total units of each figure. Price steps apply to this total. */
  readonly #units = new Map<Figure, number>();

  constructor(list: PriceList) {
    this.#list = list;
  }

  get amount(): number {
    return [...this.#units].reduce((sum, [figure, units]) => sum + steppedPrice(figure, units), 0);
  }

  get cost(): Cost {
    return { amount: this.amount, missing: [...this.#missing.values()] };
  }

  /** Adds units times a price of a class. Zero units cost nothing, even if the price is missing. */
  add(storageClass: string, figure: FigureName, units: number): void {
    if (units === 0) return;
    const price = this.#figure(storageClass, figure);
    if (price !== null) this.#count(price, units);
  }

  addTraffic(units: number): void {
    if (units === 0) return;
    const price = this.#list.trafficPerGb;
    if (price === null) this.#miss('', 'trafficPerGb');
    else this.#count(price, units);
  }

  addOfAccount(figure: AccountFigure, units: number): void {
    if (units === 0) return;
    const price = this.#list.account?.[figure];
    if (price === undefined) this.#miss('', figure);
    else this.#count(price, units);
  }

  /** Converts bytes to the list's size unit. */
  gb(sizeBytes: number): number {
    return sizeBytes / (this.#list.unit === 'GiB' ? 1024 ** 3 : 1000 ** 3);
  }

  #count(price: Figure, units: number): void {
    this.#units.set(price, (this.#units.get(price) ?? 0) + units);
  }

  #figure(storageClass: string, figure: FigureName): Figure | null {
    const prices = this.#list.classes.find((candidate) => candidate.storageClass === storageClass);
    const known = prices?.figures[figure];
    if (known !== undefined) return known;
    this.#miss(storageClass, prices === undefined ? 'class' : figure);
    return null;
  }

  #miss(storageClass: string, figure: MissingPrice['figure']): void {
    this.#missing.set(`${storageClass} ${figure}`, { storageClass, figure });
  }
}

/** Returns a figure, such as a minimum size, or 0 if it is unknown. */
export function figureOf(list: PriceList, storageClass: string, figure: FigureName): number {
  return (
    list.classes.find((candidate) => candidate.storageClass === storageClass)?.figures[figure]?.value ?? 0
  );
}

/** Returns the minimum billed sizes, for code that counts objects. */
export function smallestSizes(list: PriceList): SmallestSize[] {
  return list.classes
    .map(({ storageClass }) => ({ storageClass, bytes: figureOf(list, storageClass, 'smallestBytes') }))
    .filter(({ bytes }) => bytes > 0);
}

function addMonth(sum: Sum, list: PriceList, holding: Holding, storageClass: string, months: number): void {
  const billed = Math.max(
    holding.billedBytes,
    holding.objects * figureOf(list, storageClass, 'smallestBytes'),
  );
  const beside = figureOf(list, storageClass, 'overheadBytes');
  const besideStandard = figureOf(list, storageClass, 'overheadStandardBytes');
  sum.add(storageClass, 'storagePerGbMonth', sum.gb(billed + holding.objects * beside) * months);
  sum.add('STANDARD', 'storagePerGbMonth', sum.gb(holding.objects * besideStandard) * months);
}

/** Returns the monthly storage cost of objects as if the account stored nothing else, so price steps begin with them. */
export function monthlyCost(list: PriceList, holdings: readonly Holding[]): Cost {
  const sum = new Sum(list);
  for (const holding of holdings) addMonth(sum, list, holding, holding.storageClass, 1);
  return sum.cost;
}

/** How long a restored copy is kept for a change of class: one day, the minimum (API_RestoreObject). */
const restoredDays = 1;

export interface ChangeCost {
  readonly before: Cost;
  readonly after: Cost;
  /** The one-time cost: requests, retrieval, restores, and the rest of the minimum storage duration. */
  readonly once: Cost;
  /** The share of `once` for restoring archived objects, which must be done first. */
  readonly restoreAmount: number;
  /** The share of `once` for the rest of the minimum storage duration. */
  readonly earlyAmount: number;
  /** The number of months until the savings cover `once`, or null if there are no savings or a price is missing. */
  readonly paysBackMonths: number | null;
  /** The minimum billed days of the new class. */
  readonly smallestDays: number;
}

/**
 * Returns the savings or costs of a change of class. Skips objects that already have the class. `asTarget` has the same objects,
 * each with the new class's minimum billed size. If absent, this size is estimated from the totals.
 */
export function changeCost(
  list: PriceList,
  holdings: readonly Holding[],
  storageClass: string,
  nowMs: number,
  asTarget?: readonly Holding[],
): ChangeCost {
  const changed = holdings.filter((holding) => holding.storageClass !== storageClass);
  const after = new Sum(list);
  const once = new Sum(list);
  const early = new Sum(list);
  for (const holding of changed) {
    once.add(storageClass, 'writePer1000', holding.objects / 1000);
    once.add(holding.storageClass, 'retrievalPerGb', once.gb(holding.sizeBytes));
    const left = figureOf(list, holding.storageClass, 'smallestDays') - ageDays(holding.month, nowMs);
    if (left > 0) addMonth(early, list, holding, holding.storageClass, left / daysPerMonth);
  }
  // Without `asTarget`, uses the real sizes, because the old class's minimum billed size no longer applies.
  const then =
    asTarget?.filter((holding) => holding.storageClass !== storageClass) ??
    changed.map((holding) => ({ ...holding, billedBytes: holding.sizeBytes }));
  for (const holding of then) addMonth(after, list, holding, storageClass, 1);
  const before = monthlyCost(list, changed);
  const restore = restoreCost(
    list,
    changed.filter((holding) => archiveClasses.has(holding.storageClass)),
    'Standard',
    restoredDays,
  );
  const onceCost: Cost = {
    amount: once.amount + early.amount + restore.amount,
    missing: [...once.cost.missing, ...early.cost.missing, ...restore.missing],
  };
  const saved = before.amount - after.amount;
  const isKnown = [before, after.cost, onceCost].every(({ missing }) => missing.length === 0);
  return {
    before,
    after: after.cost,
    once: onceCost,
    restoreAmount: restore.amount,
    earlyAmount: early.amount,
    paysBackMonths: isKnown && saved > 0 ? onceCost.amount / saved : null,
    smallestDays: figureOf(list, storageClass, 'smallestDays'),
  };
}

/** Returns the days since the middle of a month, or infinity for an unknown month. */
function ageDays(month: string, nowMs: number): number {
  const startMs = Date.parse(`${month}-01T00:00:00Z`);
  if (Number.isNaN(startMs)) return Number.POSITIVE_INFINITY;
  return Math.max(0, (nowMs - startMs) / dayMs - daysPerMonth / 2);
}

/** Returns the cost of downloading everything once over the internet. */
export function downloadCost(list: PriceList, holdings: readonly Holding[]): Cost {
  const sum = new Sum(list);
  for (const { storageClass, objects, sizeBytes } of holdings) {
    sum.add(storageClass, 'readPer1000', objects / 1000);
    sum.add(storageClass, 'retrievalPerGb', sum.gb(sizeBytes));
    sum.addTraffic(sum.gb(sizeBytes));
  }
  return sum.cost;
}

/** Returns the share of the download cost that the storage class adds (retrieval). */
export function retrievalCost(list: PriceList, holdings: readonly Holding[]): Cost {
  const sum = new Sum(list);
  for (const { storageClass, sizeBytes } of holdings)
    if (figureOf(list, storageClass, 'retrievalPerGb') > 0)
      sum.add(storageClass, 'retrievalPerGb', sum.gb(sizeBytes));
  return sum.cost;
}

/** Returns the cost of restoring archived objects, and of keeping the restored copies for `days`. */
export function restoreCost(
  list: PriceList,
  holdings: readonly Holding[],
  tier: RestoreTier,
  days: number,
): Cost {
  const [perGb, per1000] = tierFigures[tier];
  const sum = new Sum(list);
  for (const { storageClass, objects, sizeBytes } of holdings) {
    sum.add(storageClass, per1000, objects / 1000);
    sum.add(storageClass, perGb, sum.gb(sizeBytes));
    sum.add('STANDARD', 'storagePerGbMonth', sum.gb(sizeBytes) * (days / daysPerMonth));
  }
  return sum.cost;
}

/** Returns the cost of an S3 Batch Operations job, without the requests it makes per object. */
export function batchCost(list: PriceList, objects: number): Cost {
  const sum = new Sum(list);
  sum.addOfAccount('batchPerJob', 1);
  sum.addOfAccount('batchPerMillion', objects / 1e6);
  return sum.cost;
}

/** Stored parts of one class. A part is billed like an object from the day it is stored. */
export interface StalledBytes {
  readonly storageClass: string;
  readonly sizeBytes: number;
  /** The sum over uploads of bytes times days since the start. */
  readonly byteDays: number;
}

/**
 * Returns the monthly cost of stalled uploads, and an upper bound of their cost since they were started (parts were added over
 * time). Parts of archive classes are billed as STANDARD until the upload is completed:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html#mpuploadpricing
 */
export function stalledCost(
  list: PriceList,
  stored: readonly StalledBytes[],
): { readonly monthly: Cost; readonly since: Cost } {
  const monthly = new Sum(list);
  const since = new Sum(list);
  for (const { storageClass, sizeBytes, byteDays } of stored) {
    const billedAs = archiveClasses.has(storageClass) ? 'STANDARD' : storageClass;
    monthly.add(billedAs, 'storagePerGbMonth', monthly.gb(sizeBytes));
    since.add(billedAs, 'storagePerGbMonth', since.gb(byteDays) / daysPerMonth);
  }
  return { monthly: monthly.cost, since: since.cost };
}

/** Returns true if nothing could be priced. */
export function isUnknown({ amount, missing }: Cost): boolean {
  return amount === 0 && missing.length > 0;
}
