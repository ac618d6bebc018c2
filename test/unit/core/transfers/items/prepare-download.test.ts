import { expect, test } from 'vitest';
import { prepareDownload } from '../../../../../electron/core/transfers/list-items.ts';
import { ListGate } from '../../../../../electron/core/transfers/items/due-items.ts';
import { downloadTransfer } from '../../../../../electron/core/transfers/items/transfer-job.ts';
import type { Item } from '../../../../../electron/core/transfers/items/transfer-item.ts';
import type { TransferEvent } from '../../../../../electron/core/transfers/items/transfer-transition.ts';
import { tempDir } from '../../../../support/temp-dir.ts';

/** The items of one job, by the folded name that the store indexes. */
function itemsInMemory() {
  const byFold = new Map<string, Item>();
  return {
    all: () => [...byFold.values()],
    put: (_jobId: string, item: Item, fold: string | null = null) => {
      byFold.set(fold ?? item.key, item);
    },
    ofFold: (_jobId: string, fold: string) => byFold.get(fold) ?? null,
    hasBelow: () => false,
  };
}

const seed = { id: 'j', nowMs: 0, connectionId: 'c', bucket: 'b', prefix: '', name: '' };
const keyed = (key: string) => ({ kind: 'key', key }) as const;

async function prepare(keys: readonly string[], from = 0) {
  const items = itemsInMemory();
  const events: TransferEvent[] = [];
  const job = {
    ...downloadTransfer(seed, keys.map(keyed), tempDir(), 'ask'),
    cursor: { index: from, afterKey: null },
  };
  const context = {
    signal: new AbortController().signal,
    emit: (event: TransferEvent, write?: () => void) => {
      events.push(event);
      write?.();
    },
  };
  await prepareDownload({} as never, items as never, {} as never, job, context as never, new ListGate());
  return { keys: items.all().map(({ key }) => key), events };
}

test('thousands of chosen keys are persisted in few writes, each of which stores the whole job', async () => {
  const keys = Array.from({ length: 3000 }, (_, index) => `k${String(index)}`);
  const { keys: persisted, events } = await prepare(keys);
  expect(persisted).toEqual(keys);
  expect(events.length).toBeLessThanOrEqual(6);
  expect(events.at(-1)).toMatchObject({ cursor: { index: 3000, afterKey: null } });
});

test('chosen keys continue behind the last write after a restart, and a key chosen twice is taken once', async () => {
  const { keys } = await prepare(['a', 'b', 'c', 'd', 'c'], 2);
  expect(keys).toEqual(['c', 'd']);
});
