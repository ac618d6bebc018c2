import { beforeEach, expect, test, vi } from 'vitest';
import { maxDraggedBytes, maxDraggedObjects } from '../../../../../shared/models/limits.ts';
import {
  useShownJob,
  fetchForDrag,
} from '../../../../../renderer/features/transfers/start/start-transfer.ts';

const seen = vi.hoisted(() => ({ asked: [] as unknown[], notices: [] as string[] }));

vi.mock('../../../../../renderer/rpc/client.ts', () => ({
  rpc: {
    transfers: {
      fetchForDrag: (input: unknown) => {
        seen.asked.push(input);
        return Promise.resolve({ jobId: 'job' });
      },
    },
  },
}));
vi.mock('../../../../../renderer/ui/notices/notices.tsx', () => ({
  showNotice: ({ message }: { message: (say: (key: string) => string) => string }) =>
    void seen.notices.push(message((key) => key)),
}));

const place = { connectionId: 'c', bucket: 'b', folder: 'p/' };

beforeEach(() => {
  seen.asked.length = 0;
  seen.notices.length = 0;
});

test('objects within the limits are fetched to be dragged out, and their transfer is shown', async () => {
  const objects = Array.from({ length: maxDraggedObjects }, (_, at) => ({
    key: `p/${String(at)}`,
    sizeBytes: Math.floor(maxDraggedBytes / maxDraggedObjects),
  }));
  fetchForDrag(place, objects);
  await vi.waitFor(() => expect(useShownJob.getState().jobId).toBe('job'));
  const keys = objects.map(({ key }) => key);
  expect(seen.asked).toEqual([{ connectionId: 'c', bucket: 'b', basePrefix: 'p/', keys }]);
  expect(seen.notices).toEqual(['transfers.drag.begun']);
});

test.each([
  ['too many', Array.from({ length: maxDraggedObjects + 1 }, () => ({ key: 'a', sizeBytes: 0 }))],
  ['too large', [{ key: 'a', sizeBytes: maxDraggedBytes + 1 }]],
])('objects that are %s for one drag are not fetched, and the window says so', (_what, objects) => {
  fetchForDrag(place, objects);
  expect(seen.asked).toEqual([]);
  expect(seen.notices).toEqual(['transfers.drag.tooMuch']);
});
