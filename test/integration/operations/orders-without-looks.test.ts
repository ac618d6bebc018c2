import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import type { Operation } from '../../../electron/service/find-operation.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { makePlan, runPlan } from '../../support/core/sync-rig.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests each order of the user against a service that refuses one kind of request which the order does not need. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

const small = bytesOf(1000, 1);
const large = bytesOf(3 * smallestPart + 5, 2);
const key = (name: string): SelectionItem => ({ kind: 'key', key: name });
const here = () => ({ connectionId: 'c', bucket: rig.bucket });

interface Order {
  readonly run: () => Promise<string | null> | string | null;
  readonly result: () => Promise<unknown>;
  readonly expected: unknown;
  /** The refusal with which the order cannot be carried out safely, as `operation status`. */
  readonly stopsAt?: string;
}

const copyTo = (isMove: boolean): string | null =>
  rig.operations.copy({
    from: { ...here(), basePrefix: 'from/' },
    items: [key('from/small'), key('from/large')],
    to: { ...here(), prefix: 'to/' },
    options: { onConflict: 'ask', isMove },
  }).jobId;

const orders: Readonly<Record<string, Order>> = {
  'an upload': {
    run: () => rig.upload([rig.file('small', small), rig.file('large', large)], {}, 'up/'),
    result: async () => await rig.keys(),
    expected: ['from/large', 'from/small', 'up/large', 'up/small'],
  },
  'a download': {
    run: () => rig.download([{ kind: 'prefix', prefix: 'from/' }]),
    result: () =>
      Promise.resolve(
        ['small', 'large'].map((name) => readFileSync(path.join(rig.fetchDir, 'from', name)).byteLength),
      ),
    expected: [small.byteLength, large.byteLength],
  },
  'a deletion': {
    run: () => rig.operations.delete(here(), [key('from/small'), key('from/large')], 'markers').jobId,
    result: async () => await rig.keys(),
    expected: [],
  },
  'the deletion of a folder': {
    run: () => rig.operations.delete(here(), [{ kind: 'prefix', prefix: 'from/' }], 'markers').jobId,
    result: async () => await rig.keys(),
    expected: [],
  },
  'a copy': {
    run: () => copyTo(false),
    result: async () => await rig.keys(),
    expected: ['from/large', 'from/small', 'to/large', 'to/small'],
  },
  'a move': {
    run: () => copyTo(true),
    result: async () => await rig.keys(),
    expected: ['to/large', 'to/small'],
  },
  'a new name': {
    run: () =>
      rig.operations.rename({
        ...here(),
        item: { kind: 'key', key: 'from/small' },
        newName: 'renamed',
        onConflict: 'ask',
      }).jobId,
    result: async () => await rig.keys(),
    expected: ['from/large', 'from/renamed'],
  },
  'a change of properties': {
    run: () => rig.operations.change(here(), [key('from/small')], { cacheControl: 'max-age=7' }).jobId,
    result: async () =>
      (await rig.client.headObject({ bucket: rig.bucket, key: 'from/small' })).headers['cache-control'],
    expected: 'max-age=7',
    // Some services lose the tags of an object that is copied onto itself.
    stopsAt: 'GetObjectTagging 403',
  },
  'a sync': {
    run: async () => {
      rig.file('small', small);
      return await runPlan(rig, await makePlan(rig, 'up', rig.sendDir, 'up/'), true);
    },
    result: async () => await rig.keys(),
    expected: ['from/large', 'from/small', 'up/small'],
  },
};

const refused: readonly Operation[] = [
  'HeadObject',
  'ListParts',
  'ListMultipartUploads',
  'GetObjectTagging',
  'ListObjectVersions',
  'GetBucketVersioning',
];
const statuses = [
  [403, 'AccessDenied'],
  [405, 'MethodNotAllowed'],
  [501, 'NotImplemented'],
] as const;

describe.each(Object.entries(orders))('%s succeeds', (_order, { run, result, expected, stopsAt }) => {
  test.each(
    refused
      .flatMap((operation) => statuses.map(([status, code]) => ({ operation, status, code })))
      .filter(({ operation, status }) => `${operation} ${status}` !== stopsAt),
  )('if the service answers $operation by $status', async ({ operation, status, code }) => {
    await rig.put('from/small', small);
    await rig.put('from/large', large);
    rig.service.faults.add({ operation, times: Infinity, action: { kind: 'status', status, code } });
    const jobId = await run();
    const job = await rig.settle(jobId ?? '');
    expect({
      state: job.state,
      errors: rig.items(job.id).map(({ error }) => error?.message ?? ''),
    }).toMatchObject({ state: 'done' });
    rig.service.faults.clear();
    expect(await result()).toEqual(expected);
  });
});
