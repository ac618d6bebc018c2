import { describe, expect, it } from 'vitest';
import type { Holding, PriceList } from '../../../../shared/models/prices.ts';
import {
  batchCost,
  changeCost,
  daysPerMonth,
  downloadCost,
  isUnknown,
  monthlyCost,
  restoreCost,
  retrievalCost,
  smallestSizes,
  stalledCost,
  steppedPrice,
} from '../../../../shared/pricing/cost.ts';
import { examplePrices, shippedPrices } from '../../../../shared/pricing/shipped.ts';

const figure = (value: number) => ({ value, date: '2026-11-24', source: '' });
const list: PriceList = {
  name: 'Test',
  currency: 'USD',
  unit: 'GB',
  trafficPerGb: figure(0.1),
  classes: [
    {
      storageClass: 'STANDARD',
      figures: {
        storagePerGbMonth: figure(0.02),
        writePer1000: figure(0.005),
        readPer1000: figure(0.0004),
        retrievalPerGb: figure(0),
      },
    },
    {
      storageClass: 'COLD',
      figures: {
        storagePerGbMonth: figure(0.01),
        smallestBytes: figure(100_000),
        smallestDays: figure(90),
        writePer1000: figure(0.01),
        readPer1000: figure(0.001),
        retrievalPerGb: figure(0.03),
      },
    },
    {
      storageClass: 'ARCHIVE',
      figures: {
        storagePerGbMonth: figure(0.001),
        overheadBytes: figure(32_000),
        overheadStandardBytes: figure(8000),
        standardRestorePerGb: figure(0.02),
        standardRestorePer1000: figure(0.1),
      },
    },
  ],
};
const gb = 1e9;
const holding = (storageClass: string, objects: number, sizeBytes: number, month = '2020-01'): Holding => ({
  storageClass,
  month,
  objects,
  sizeBytes,
  billedBytes: sizeBytes,
});
const nowMs = Date.parse('2026-11-16T00:00:00Z');

describe('the cost of an S3 Batch job', () => {
  it('has a fee for the job and one for each object', () => {
    const aws = shippedPrices('aws', 'us-east-1');
    if (aws === null) throw new Error('There is no list.');
    expect(batchCost(aws, 10_000_000)).toEqual({ amount: 10.25, missing: [] });
  });

  it('is unknown if the price list has no fee for it', () => {
    const cost = batchCost(list, 5);
    expect(isUnknown(cost)).toBe(true);
    expect(cost.missing.map(({ figure: name }) => name)).toEqual(['batchPerJob', 'batchPerMillion']);
  });
});

describe('the monthly cost of a folder', () => {
  it('sums the storage classes', () => {
    const cost = monthlyCost(list, [holding('STANDARD', 10, 100 * gb), holding('COLD', 1, 100 * gb)]);
    expect(cost.amount).toBeCloseTo(3, 10);
    expect(cost.missing).toEqual([]);
  });

  it('bills small objects at the minimum size of their class', () => {
    const cost = monthlyCost(list, [holding('COLD', 1_000_000, 1 * gb)]);
    expect(cost.amount).toBeCloseTo(1, 10); // 100 GB, not 1
  });

  it('includes the metadata stored with each archived object', () => {
    const cost = monthlyCost(list, [holding('ARCHIVE', 1_000_000, 0)]);
    expect(cost.amount).toBeCloseTo(32 * 0.001 + 8 * 0.02, 10);
  });

  it('names a class without a price instead of guessing one', () => {
    const cost = monthlyCost(list, [holding('STANDARD', 1, gb), holding('ICE', 1, gb)]);
    expect(cost.amount).toBeCloseTo(0.02, 10);
    expect(cost.missing).toEqual([{ storageClass: 'ICE', figure: 'class' }]);
    expect(isUnknown(cost)).toBe(false);
    expect(isUnknown(monthlyCost(list, [holding('ICE', 1, gb)]))).toBe(true);
    expect(isUnknown(monthlyCost(list, []))).toBe(false);
  });

  it('uses the unit of the price list', () => {
    const inGib = monthlyCost({ ...list, unit: 'GiB' }, [holding('STANDARD', 1, 1024 ** 3)]);
    expect(inGib.amount).toBeCloseTo(0.02, 12);
  });

  it('provides the minimum billed sizes for counting objects', () => {
    expect(smallestSizes(list)).toEqual([{ storageClass: 'COLD', bytes: 100_000 }]);
  });
});

describe('the cost of a change of class', () => {
  it('has a monthly saving, a cost of requests and the time until it pays off', () => {
    const cost = changeCost(list, [holding('STANDARD', 1000, 100 * gb)], 'COLD', nowMs);
    expect(cost.before.amount).toBeCloseTo(2, 10);
    expect(cost.after.amount).toBeCloseTo(1, 10);
    expect(cost.once.amount).toBeCloseTo(0.01, 10);
    expect(cost.paysBackMonths).toBeCloseTo(0.01, 10);
    expect(cost.smallestDays).toBe(90);
  });

  it('knows the part of a download that is due to the class', () => {
    const held = [holding('STANDARD', 10, 10 * gb, '2026-01'), holding('COLD', 5, 2 * gb, '2026-01')];
    expect(retrievalCost(list, held)).toEqual({ amount: 0.06, missing: [] });
    expect(retrievalCost(list, [holding('STANDARD', 10, 10 * gb, '2026-01')]).amount).toBe(0);
  });

  it('includes early deletion fees and retrieval for objects that leave a class early', () => {
    // Stored in mid-November, so all 90 days remain.
    const cost = changeCost(list, [holding('COLD', 0, 10 * gb, '2026-11')], 'STANDARD', nowMs);
    expect(cost.earlyAmount).toBeCloseTo((0.1 * 90) / daysPerMonth, 2);
    expect(cost.once.amount).toBeCloseTo(0.3 + cost.earlyAmount, 10);
    expect(cost.paysBackMonths).toBeNull();
    const old = changeCost(list, [holding('COLD', 0, 10 * gb, '2026-01')], 'STANDARD', nowMs);
    expect(old.earlyAmount).toBe(0);
  });

  it('does not apply the minimum size of the old class to the new one', () => {
    const small = { ...holding('COLD', 1000, 1000), billedBytes: 1000 * 100_000 };
    expect(changeCost(list, [small], 'STANDARD', nowMs).after.amount).toBeCloseTo(0.02 * 1e-6, 12);
  });

  it('includes the restore that a change from an archive needs first', () => {
    // By hand, for 1,000 GiB in 1,000 objects in us-east-1: a standard restore at $0.02 per GiB and $0.10 per 1,000 requests, a day of
    // the readable copies at $0.023 a month, and 1,000 PUT at $0.005.
    const aws = shippedPrices('aws', 'us-east-1');
    if (aws === null) throw new Error('There is no list.');
    const cost = changeCost(aws, [holding('DEEP_ARCHIVE', 1000, 1000 * 1024 ** 3)], 'STANDARD', nowMs);
    expect(cost.restoreAmount).toBeCloseTo(1000 * 0.02 + 0.1 + (1000 * 0.023) / daysPerMonth, 8);
    expect(cost.once.amount).toBeCloseTo(cost.restoreAmount + 0.005, 8);
    expect(cost.once.missing).toEqual([]);
    const instant = changeCost(aws, [holding('GLACIER_IR', 1000, gb)], 'STANDARD', nowMs);
    expect(instant.restoreAmount).toBe(0);
  });

  it('names the restore prices that a list lacks', () => {
    const cost = changeCost(list, [holding('GLACIER', 1, gb)], 'STANDARD', nowMs);
    expect(cost.once.missing).toContainEqual({ storageClass: 'GLACIER', figure: 'class' });
    expect(cost.paysBackMonths).toBeNull();
  });

  it('ignores objects that already have the class', () => {
    const cost = changeCost(list, [holding('COLD', 5, gb)], 'COLD', nowMs);
    expect([cost.before.amount, cost.after.amount, cost.once.amount]).toEqual([0, 0, 0]);
  });

  it('promises no saving if a price is unknown', () => {
    const cost = changeCost(list, [holding('STANDARD', 1, gb)], 'ICE', nowMs);
    expect(cost.paysBackMonths).toBeNull();
    expect(cost.after.missing).toEqual([{ storageClass: 'ICE', figure: 'class' }]);
  });
});

describe('prices in steps', () => {
  const steps = [
    { aboveGb: 100, value: 0.5 },
    { aboveGb: 300, value: 0.25 },
  ];

  it('apply to the part of an amount above each step', () => {
    for (const [units, amount] of [
      [0, 0],
      [100, 100],
      [101, 100.5],
      [300, 200],
      [500, 250],
    ] as const)
      expect(steppedPrice({ value: 1, steps }, units)).toBeCloseTo(amount, 10);
  });

  it('apply to the sum of a class, however many months and sums it is made of', () => {
    const stepped: PriceList = {
      ...list,
      classes: [{ storageClass: 'STANDARD', figures: { storagePerGbMonth: { ...figure(1), steps } } }],
    };
    const parts = Array.from({ length: 10 }, (_, at) => holding('STANDARD', 1, 30 * gb, `2026-0${at % 9}`));
    expect(monthlyCost(stepped, parts).amount).toBeCloseTo(200, 10);
  });
});

it('the cost of a download has requests, retrieval and traffic', () => {
  const cost = downloadCost(list, [holding('COLD', 1000, 10 * gb)]);
  expect(cost.amount).toBeCloseTo(0.001 + 0.3 + 1, 10);
  expect(downloadCost({ ...list, trafficPerGb: null }, [holding('STANDARD', 1, gb)]).missing).toEqual([
    { storageClass: '', figure: 'trafficPerGb' },
  ]);
});

it('the cost of a restore has requests, bytes and storage of the temporary copies', () => {
  const cost = restoreCost(list, [holding('ARCHIVE', 1000, 10 * gb)], 'Standard', daysPerMonth);
  expect(cost.amount).toBeCloseTo(0.1 + 0.2 + 0.2, 10);
  expect(restoreCost(list, [holding('ARCHIVE', 1, gb)], 'Bulk', 1).missing).toEqual([
    { storageClass: 'ARCHIVE', figure: 'bulkRestorePer1000' },
    { storageClass: 'ARCHIVE', figure: 'bulkRestorePerGb' },
  ]);
});

it('the cost of stalled uploads is given per month and since they were started', () => {
  const stored = { storageClass: 'STANDARD', sizeBytes: 10 * gb, byteDays: 10 * gb * daysPerMonth * 3 };
  const cost = stalledCost(list, [stored]);
  expect(cost.monthly.amount).toBeCloseTo(0.2, 10);
  expect(cost.since.amount).toBeCloseTo(0.6, 10);
});

it('parts in an archive class are billed as STANDARD until the upload is completed', () => {
  const stored = { storageClass: 'DEEP_ARCHIVE', sizeBytes: gb, byteDays: 0 };
  expect(stalledCost(list, [stored]).monthly).toEqual({ amount: 0.02, missing: [] });
});

describe('the shipped price lists', () => {
  it('have a date and a public source for each figure', () => {
    for (const [provider, region] of [
      ['aws', 'us-east-1'],
      ['aws', 'eu-central-1'],
      ['r2', null],
      ['b2', null],
      ['wasabi', null],
      ['digitalocean', null],
      ['gcs', 'us-central1'],
    ] as const) {
      const found = shippedPrices(provider, region);
      if (found === null) throw new Error(`There is no list of ${provider}.`);
      const figures = found.classes.flatMap((priced) => Object.values(priced.figures));
      expect(figures.length).toBeGreaterThan(0);
      for (const { date, source } of [...figures, ...(found.trafficPerGb ? [found.trafficPerGb] : [])]) {
        expect(date).toMatch(/^20\d\d/);
        expect(source).toMatch(/^https:\/\//);
      }
    }
  });

  it('mark the figures that could not be compared with their source', () => {
    const s3 = shippedPrices('aws', 'us-east-1')?.classes[0]?.figures;
    expect(s3?.storagePerGbMonth?.isUnchecked).toBe(true);
    expect(s3?.smallestDays?.isUnchecked).toBeUndefined();
    expect(shippedPrices('r2', null)?.classes[0]?.figures.storagePerGbMonth?.isUnchecked).toBeUndefined();
    expect(shippedPrices('b2', null)?.classes[0]?.figures.storagePerGbMonth?.isUnchecked).toBe(true);
  });

  it('have the free allowances of R2 and B2, and the steps of S3', () => {
    expect(shippedPrices('r2', null)?.account).toMatchObject({
      includedStorageGb: { value: 10 },
      includedWrites: { value: 1_000_000 },
      includedReads: { value: 10_000_000 },
    });
    expect(shippedPrices('b2', null)?.account).toMatchObject({ includedStorageGb: { value: 10 } });
    const aws = shippedPrices('aws', 'us-east-1');
    if (aws === null) throw new Error('There is no list.');
    // 600 TiB: 50 at the first price, 450 at the second, 100 at the third.
    const TiB = 1024 ** 4;
    expect(monthlyCost(aws, [holding('STANDARD', 1, 600 * TiB)]).amount).toBeCloseTo(
      1024 * (50 * 0.023 + 450 * 0.022 + 100 * 0.021),
      6,
    );
  });

  it('are found by the host of a service without a preset', () => {
    for (const [hostname, name] of [
      ['fsn1.your-objectstorage.com', 'Hetzner Object Storage'],
      ['s3.fr-par.scw.cloud', 'Scaleway Object Storage'],
      ['s3.gra.io.cloud.ovh.net', 'OVHcloud Object Storage, one zone'],
    ] as const)
      expect(shippedPrices('custom', null, hostname)?.name).toBe(name);
    // Three zones have other prices. A host whose name only ends like a zone is not affected.
    expect(shippedPrices('custom', null, 's3.eu-west-par.io.cloud.ovh.net')).toBeNull();
    expect(shippedPrices('custom', null, 'notscw.cloud')).toBeNull();
  });

  it('list account fees and included volumes with date and source', () => {
    const hetzner = shippedPrices('custom', null, 'fsn1.your-objectstorage.com');
    expect(hetzner?.account).toMatchObject({
      monthlyFee: { value: 6.49, source: 'https://www.hetzner.com/storage/object-storage/' },
      includedStorageGb: { value: 1000 },
      includedTrafficGb: { value: 1000 },
    });
  });

  it('have none for an unknown region or service', () => {
    expect(shippedPrices('aws', 'af-south-1')).toBeNull();
    expect(shippedPrices('custom', null)).toBeNull();
  });

  it('cover the COLD objects of the samples', () => {
    const example = examplePrices();
    if (example === null) throw new Error('There is no example.');
    expect(monthlyCost(example, [holding('COLD', 1, 1024 ** 3)]).amount).toBeCloseTo(0.0125, 10);
  });
});
