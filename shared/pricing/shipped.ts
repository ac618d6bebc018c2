import { z } from 'zod';
import { figureNames, gbUnits, type Figure, type FigureName, type PriceList } from '../models/prices.ts';
import awsEuCentral1 from './lists/aws-eu-central-1.json' with { type: 'json' };
import awsUsEast1 from './lists/aws-us-east-1.json' with { type: 'json' };
import b2 from './lists/b2.json' with { type: 'json' };
import digitalocean from './lists/digitalocean.json' with { type: 'json' };
import gcsUsCentral1 from './lists/gcs-us-central1.json' with { type: 'json' };
import r2 from './lists/r2.json' with { type: 'json' };
import wasabi from './lists/wasabi.json' with { type: 'json' };

/** The value, since when it is known to hold, and which of the list's sources says so. */
const shippedFigure = z.tuple([z.number().min(0), z.string().regex(/^\d{4}(-\d{2}){0,2}$/), z.string()]);

export const shippedListSchema = z.strictObject({
  name: z.string(),
  provider: z.string(),
  /** null: the same in all regions. */
  region: z.string().nullable(),
  currency: z.string(),
  unit: z.enum(gbUnits),
  sources: z.record(z.string(), z.url()),
  trafficPerGb: shippedFigure.nullable(),
  classes: z.record(z.string(), z.partialRecord(z.enum(figureNames), shippedFigure)),
});
export type ShippedList = z.infer<typeof shippedListSchema>;

const files: readonly unknown[] = [awsUsEast1, awsEuCentral1, r2, b2, wasabi, digitalocean, gcsUsCentral1];

/** The lists that Cooper ships: shared/pricing/README.md says what they hold. */
export const shippedLists: readonly ShippedList[] = files.map((file) => shippedListSchema.parse(file));

/** What is known of the prices of a provider in a region; null: nothing. */
export function shippedPrices(provider: string, region: string | null): PriceList | null {
  const found = shippedLists.find(
    (list) => list.provider === provider && (list.region === null || list.region === region),
  );
  return found === undefined ? null : priceListOf(found);
}

export function priceListOf(list: ShippedList): PriceList {
  const figure = ([value, date, source]: z.infer<typeof shippedFigure>): Figure => ({
    value,
    date,
    source: list.sources[source] ?? '',
  });
  return {
    name: list.name,
    currency: list.currency,
    unit: list.unit,
    trafficPerGb: list.trafficPerGb === null ? null : figure(list.trafficPerGb),
    classes: Object.entries(list.classes).map(([storageClass, figures]) => {
      const known: Partial<Record<FigureName, Figure>> = {};
      for (const name of figureNames) {
        const shipped = figures[name];
        if (shipped !== undefined) known[name] = figure(shipped);
      }
      return { storageClass, figures: known };
    }),
  };
}

/** The sample buckets are counted with these: COLD, which the sample service offers, as Standard-IA. */
export function examplePrices(): PriceList | null {
  const list = shippedPrices('aws', 'us-east-1');
  if (list === null) return null;
  const cold = list.classes.find(({ storageClass }) => storageClass === 'STANDARD_IA');
  return {
    ...list,
    classes: cold === undefined ? list.classes : [...list.classes, { ...cold, storageClass: 'COLD' }],
  };
}
