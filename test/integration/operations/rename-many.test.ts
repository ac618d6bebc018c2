import { expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

test('several objects get their new names in one job, and an undo gives the old ones back', async () => {
  for (const name of ['a.jpg', 'b.jpg', 'kept.jpg']) await rig.put(`in/${name}`, Buffer.from(name));
  const place = { connectionId: 'c', bucket: rig.bucket, folder: 'in/' };
  const { jobId } = rig.operations.renameMany(place, [
    { key: 'in/a.jpg', newName: 'trip-1.jpg' },
    { key: 'in/b.jpg', newName: 'trip-2.jpg' },
    { key: 'in/kept.jpg', newName: 'kept.jpg' },
  ]);
  expect(await rig.settle(jobId)).toMatchObject({
    state: 'done',
    outcome: 'renamed',
    isRename: true,
    items: { done: 2, total: 2 },
  });
  expect(await rig.keys()).toEqual(['in/kept.jpg', 'in/trip-1.jpg', 'in/trip-2.jpg']);
  expect(String(await rig.object('in/trip-2.jpg'))).toBe('b.jpg');
  const { undo } = rig.undos.state();
  expect(undo).toMatchObject({ kind: 'rename', others: 1, isPossible: true });
  await rig.settle((await rig.undos.undo(undo?.id ?? '')).jobId ?? '');
  expect(await rig.keys()).toEqual(['in/a.jpg', 'in/b.jpg', 'in/kept.jpg']);
});

test('a rename that would give two objects one name is refused before any request', () => {
  const place = { connectionId: 'c', bucket: rig.bucket, folder: 'in/' };
  const refused = (names: readonly { readonly key: string; readonly newName: string }[]) =>
    expect(() => rig.operations.renameMany(place, names)).toThrow(/name|changes/u);
  refused([
    { key: 'in/a', newName: 'same' },
    { key: 'in/b', newName: 'same' },
  ]);
  refused([
    { key: 'in/a', newName: 'b' },
    { key: 'in/b', newName: 'c' },
  ]);
  refused([{ key: 'in/a', newName: 'x/y' }]);
  refused([{ key: 'elsewhere/a', newName: 'b' }]);
  refused([{ key: 'in/a', newName: 'a' }]);
});

test('an object that has the name meanwhile is asked about, and the others are renamed', async () => {
  for (const name of ['c.txt', 'd.txt', 'taken.txt']) await rig.put(`ask/${name}`, Buffer.from(name));
  const place = { connectionId: 'c', bucket: rig.bucket, folder: 'ask/' };
  const { jobId } = rig.operations.renameMany(place, [
    { key: 'ask/c.txt', newName: 'taken.txt' },
    { key: 'ask/d.txt', newName: 'free.txt' },
  ]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', items: { asking: 1 } });
  expect(String(await rig.object('ask/taken.txt'))).toBe('taken.txt');
  expect(String(await rig.object('ask/c.txt'))).toBe('c.txt');
});
