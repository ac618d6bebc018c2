import { beforeEach, expect, test, vi } from 'vitest';
import type { MapStatus } from '../../../../../shared/models/map.ts';
import { calculateSizes } from '../../../../../renderer/app/services/calculate-sizes.ts';

type Say = (key: string) => string;

const core = vi.hoisted(() => ({ statuses: [] as MapStatus[], error: null as Error | null }));
const shown = vi.hoisted(() => [] as string[]);
const show = vi.hoisted(() => ({ message }: { readonly message: (say: Say) => string }): void => {
  shown.push(message((key) => key));
});

async function* watch(): AsyncGenerator<MapStatus> {
  yield* core.statuses;
  if (core.error !== null) throw core.error;
}

vi.mock('../../../../../renderer/rpc/client.ts', () => ({
  rpc: { map: { open: () => Promise.resolve({ mapId: 'm' }), watch: () => watch() } },
}));
vi.mock('../../../../../renderer/rpc/say-failure.ts', () => ({ sayingFailure: () => undefined }));
vi.mock('../../../../../renderer/features/objects/index.ts', () => ({
  refreshFolderTotals: () => undefined,
}));
vi.mock('../../../../../renderer/ui/notices/notices.tsx', () => ({ showNotice: show, updateNotice: show }));

const status = (state: string): MapStatus =>
  ({ walk: { state, keys: 5 }, objects: 5, sizeBytes: 9, kept: 'kept' }) as unknown as MapStatus;
const calculate = async (): Promise<void> => await calculateSizes({ connectionId: 'c', bucket: 'b' }, 'p/');

beforeEach(() => {
  shown.length = 0;
  core.error = null;
});

test('the notice shows the progress of the listing and then its sums', async () => {
  core.statuses = [status('running'), status('done'), status('running')];
  await calculate();
  expect(shown).toEqual(['search.sizes.counting', 'search.sizes.known']);
});

test('the notice says that the listing stopped if the core closes its map', async () => {
  core.statuses = [status('running')];
  await calculate();
  expect(shown).toEqual(['search.sizes.counting', 'search.sizes.stopped']);
});

test('the notice says that the listing stopped if the connection to the core is lost', async () => {
  core.statuses = [status('running')];
  core.error = new Error('lost');
  await expect(calculate()).rejects.toThrow('lost');
  expect(shown).toEqual(['search.sizes.counting', 'search.sizes.stopped']);
});
