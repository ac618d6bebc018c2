import { beforeEach, expect, it, vi } from 'vitest';
import { createPrices } from '../../../../electron/core/prices/connection-prices.ts';
import type { Values } from '../../../../electron/core/store/records.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type { PriceList } from '../../../../shared/models/prices.ts';

const connections = [
  { id: 'aws', provider: 'aws', region: 'us-east-1', endpoint: 'https://127.0.0.1', builtIn: false },
  { id: 'aws-default', provider: 'aws', region: null, endpoint: 'https://127.0.0.1', builtIn: false },
  { id: 'elsewhere', provider: 'aws', region: 'af-south-1', endpoint: 'https://127.0.0.1', builtIn: false },
  { id: 'mine', provider: 'custom', region: null, endpoint: 'https://127.0.0.1', builtIn: false },
  { id: 'samples', provider: 'custom', region: 'local', endpoint: 'https://127.0.0.1', builtIn: true },
];
const customList: PriceList = {
  name: 'Mine',
  currency: 'EUR',
  unit: 'GB',
  trafficPerGb: null,
  classes: [
    {
      storageClass: 'STANDARD',
      figures: { storagePerGbMonth: { value: 0.01, date: '2026-11-24', source: '' } },
    },
  ],
};

let stored: Map<string, unknown>;
const onChanged = vi.fn<() => void>();
beforeEach(() => {
  stored = new Map();
  onChanged.mockClear();
  regionOf.mockReset();
});
const values: Values = {
  get: (name) => stored.get(name),
  set: (name, value) => void stored.set(name, value),
};
const regionOf = vi.fn<(connectionId: string, bucket: string) => Promise<string | null>>();
const prices = () =>
  createPrices({ values, connections: async () => await Promise.resolve(connections), regionOf, onChanged });

it('prices come from the provider and region, an example for the samples, and none elsewhere', async () => {
  expect(await prices().of('aws')).toMatchObject({ origin: 'shipped', list: { currency: 'USD' } });
  expect(await prices().of('aws-default')).toMatchObject({ origin: 'shipped' });
  expect(await prices().of('samples')).toMatchObject({ origin: 'example' });
  expect(await prices().of('elsewhere')).toEqual({ origin: 'none', list: null, shipped: null });
  expect(await prices().of('mine')).toEqual({ origin: 'none', list: null, shipped: null });
  await expect(prices().of('gone')).rejects.toThrow('no such connection');
});

it('prices of a bucket are those of its region, whatever region the connection has', async () => {
  const regions: Record<string, string | null> = {
    here: 'us-east-1',
    frankfurt: 'eu-central-1',
    cape: 'af-south-1',
    denied: null,
  };
  regionOf.mockImplementation(async (_id, bucket) => await Promise.resolve(regions[bucket] ?? null));
  const known = prices();
  const nameOf = async (id: string, bucket: string) => (await known.of(id, bucket)).list?.name ?? null;
  expect(await nameOf('aws', 'here')).toBe('Amazon S3, us-east-1');
  expect(await nameOf('aws', 'frankfurt')).toBe('Amazon S3, eu-central-1');
  expect(await nameOf('elsewhere', 'frankfurt')).toBe('Amazon S3, eu-central-1');
  // Without a list for the region, no list is used rather than that of another region.
  expect(await nameOf('aws', 'cape')).toBeNull();
  expect(await nameOf('aws', 'denied')).toBe('Amazon S3, us-east-1');
  expect(regionOf).toHaveBeenCalledTimes(5);
  await known.of('aws', 'frankfurt');
  expect(regionOf).toHaveBeenCalledTimes(5);
  known.connectionChanged('aws');
  await known.of('aws', 'frankfurt');
  expect(regionOf).toHaveBeenCalledTimes(6);
  // The bucket's region is not requested for a service with one price for all regions.
  await known.of('mine', 'frankfurt');
  expect(regionOf).toHaveBeenCalledTimes(6);
});

it("a connection's own price list is stored and announced, and the shipped one can be restored", async () => {
  expect(await prices().set('mine', customList)).toEqual({ origin: 'own', list: customList, shipped: null });
  expect(await prices().of('mine')).toMatchObject({ origin: 'own', list: customList });
  expect(onChanged).toHaveBeenCalledTimes(1);
  await prices().set('aws', customList);
  expect(await prices().of('aws')).toMatchObject({ origin: 'own', shipped: { currency: 'USD' } });
  expect(await prices().set('aws', null)).toMatchObject({ origin: 'shipped' });
  prices().forget('mine');
  expect(await prices().of('mine')).toMatchObject({ origin: 'none' });
});

it('an invalid price list is refused with its fault, and the previous one stays', async () => {
  await prices().set('mine', customList);
  const wrong: PriceList = {
    ...customList,
    classes: [
      { storageClass: 'COLD', figures: { readPer1000: { value: -1, date: '2026-11-24', source: '' } } },
    ],
  };
  const refused: unknown = await prices()
    .set('mine', wrong)
    .catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(AppFailure);
  expect(String(refused)).toContain('readPer1000 of COLD is not a number of 0 or more');
  expect(await prices().of('mine')).toMatchObject({ list: customList });
});

it('a damaged stored price list is ignored', async () => {
  stored.set('prices:mine', { currency: 7 });
  expect(await prices().of('mine')).toMatchObject({ origin: 'none' });
});
