import { z } from 'zod';
import {
  accountFigures,
  figureNames,
  gbUnits,
  type AccountFigure,
  type Figure,
  type FigureName,
  type PriceList,
} from '../models/prices.ts';
import awsEuCentral1 from './lists/aws-eu-central-1.json' with { type: 'json' };
import awsUsEast1 from './lists/aws-us-east-1.json' with { type: 'json' };
import b2 from './lists/b2.json' with { type: 'json' };
import digitalocean from './lists/digitalocean.json' with { type: 'json' };
import gcsUsCentral1 from './lists/gcs-us-central1.json' with { type: 'json' };
import hetzner from './lists/hetzner.json' with { type: 'json' };
import ovh from './lists/ovh.json' with { type: 'json' };
import r2 from './lists/r2.json' with { type: 'json' };
import scaleway from './lists/scaleway.json' with { type: 'json' };
import wasabi from './lists/wasabi.json' with { type: 'json' };

/** A price, or prices by amount: `[[0, price], [fromGb, price], …]`. */
const shippedValue = z.union([
  z.number().min(0),
  z.array(z.tuple([z.number().min(0), z.number().min(0)])).min(1),
]);

/**
 * A value, the date from which its source is known to state it, and the source's key in `sources`. `unchecked`: the value was
 * not compared with its source.
 */
const shippedFigure = z.union([
  z.tuple([shippedValue, z.string().regex(/^\d{4}(-\d{2}){0,2}$/), z.string()]),
  z.tuple([shippedValue, z.string().regex(/^\d{4}(-\d{2}){0,2}$/), z.string(), z.literal('unchecked')]),
]);

const shippedListSchema = z.strictObject({
  name: z.string(),
  /** The id of the preset, or null if Cooper has none for the service, which `hosts` then identifies. */
  provider: z.string().nullable(),
  /** Hosts of the service, or suffixes of host names. */
  hosts: z.array(z.string()).optional(),
  /** Null if prices are the same in all regions. */
  region: z.string().nullable(),
  currency: z.string(),
  unit: z.enum(gbUnits),
  sources: z.record(z.string(), z.url()),
  trafficPerGb: shippedFigure.nullable(),
  account: z.partialRecord(z.enum(accountFigures), shippedFigure).optional(),
  classes: z.record(z.string(), z.partialRecord(z.enum(figureNames), shippedFigure)),
});
export type ShippedList = z.infer<typeof shippedListSchema>;

const files: readonly unknown[] = [
  awsUsEast1,
  awsEuCentral1,
  r2,
  b2,
  wasabi,
  digitalocean,
  gcsUsCentral1,
  hetzner,
  scaleway,
  ovh,
];

/** The lists that Cooper ships. shared/pricing/README.md describes them. */
export const shippedLists: readonly ShippedList[] = files.map((file) => shippedListSchema.parse(file));

/** Returns the known prices of a provider in a region, or of a service matched by host. Null if unknown. */
export function shippedPrices(
  provider: string,
  region: string | null,
  hostname: string | null = null,
): PriceList | null {
  const found = shippedLists.find(
    (list) =>
      (list.provider === provider && (list.region === null || list.region === region)) ||
      (list.hosts ?? []).some((host) => hostname === host || hostname?.endsWith(`.${host}`) === true),
  );
  return found === undefined ? null : priceListOf(found);
}

/** Returns true if the provider's prices depend on the region. */
export function hasRegionalPrices(provider: string): boolean {
  return shippedLists.some((list) => list.provider === provider && list.region !== null);
}

export function priceListOf(list: ShippedList): PriceList {
  const figure = ([shipped, date, source, mark]: z.infer<typeof shippedFigure>): Figure => {
    const [first, ...steps] = typeof shipped === 'number' ? [[0, shipped] as const] : shipped;
    return {
      value: first?.[1] ?? 0,
      date,
      source: list.sources[source] ?? '',
      ...(mark === undefined ? {} : { isUnchecked: true }),
      ...(steps.length === 0 ? {} : { steps: steps.map(([aboveGb, value]) => ({ aboveGb, value })) }),
    };
  };
  return {
    name: list.name,
    currency: list.currency,
    unit: list.unit,
    trafficPerGb: list.trafficPerGb === null ? null : figure(list.trafficPerGb),
    ...(list.account === undefined ? {} : { account: known(accountFigures, list.account, figure) }),
    classes: Object.entries(list.classes).map(([storageClass, figures]) => {
      return { storageClass, figures: known(figureNames, figures, figure) };
    }),
  };
}

function known<Name extends FigureName | AccountFigure, Shipped>(
  names: readonly Name[],
  figures: Readonly<Partial<Record<Name, Shipped>>>,
  figure: (shipped: Shipped) => Figure,
): Partial<Record<Name, Figure>> {
  const found: Partial<Record<Name, Figure>> = {};
  for (const name of names) {
    const shipped = figures[name];
    if (shipped !== undefined) found[name] = figure(shipped);
  }
  return found;
}

/** Returns the prices for estimates of the sample buckets. COLD, which the sample service offers, is priced as Standard-IA. */
export function examplePrices(): PriceList | null {
  const list = shippedPrices('aws', 'us-east-1');
  if (list === null) return null;
  const cold = list.classes.find(({ storageClass }) => storageClass === 'STANDARD_IA');
  return {
    ...list,
    classes: cold === undefined ? list.classes : [...list.classes, { ...cold, storageClass: 'COLD' }],
  };
}
