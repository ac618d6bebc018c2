import { expect, test } from 'vitest';
import type { DiskSync } from '../../../../electron/core/ports.ts';
import type { NameRequest, PlaceRequest, Written } from '../../../../electron/core/disk/hash-messages.ts';
import { placeTogether } from '../../../../electron/core/disk/place-together.ts';

const request = (name: string): PlaceRequest => ({
  part: `/disk/${name}.part`,
  target: `/disk/${name}`,
  bytes: Buffer.from(name),
  seconds: null,
  mayReplace: name.startsWith('over'),
});

const nameOf = ({ target }: { readonly target: string }): string => target.slice('/disk/'.length);

/** Simulates two disks. Names that begin with `b` are on the second. `isSafe` returns the result of syncing a disk. */
function rig(isSafe: (folder: string) => boolean, failing: readonly string[] = []) {
  const messages: string[] = [];
  const disk: Pick<DiskSync, 'sync'> = {
    sync: (folder) => {
      messages.push(`sync ${folder}`);
      return Promise.resolve(isSafe(folder));
    },
  };
  const run = async (names: readonly string[]) =>
    await placeTogether(
      names.map(request),
      {
        write: (files) => {
          messages.push(`write ${files.map(nameOf).join(' ')}`);
          const written = files.map((file): Written =>
            failing.includes(nameOf(file))
              ? { code: 'ENOSPC', message: 'no space' }
              : { device: nameOf(file).startsWith('b') ? 2 : 1 },
          );
          return Promise.resolve(written);
        },
        name: (files: readonly NameRequest[]) => {
          messages.push(`name ${files.map((file) => `${nameOf(file)}${file.isSafe ? '' : '!'}`).join(' ')}`);
          return Promise.resolve(files.map((file) => ({ isTaken: nameOf(file) === 'taken' })));
        },
      },
      { ...disk, close: () => undefined },
    );
  return { said: messages, run };
}

test('no file is renamed before all volumes of the batch are synced', async () => {
  const { said: messages, run } = rig(() => true);
  await expect(run(['a', 'taken', 'over'])).resolves.toEqual([
    { isTaken: false },
    { isTaken: true },
    { isTaken: false },
  ]);
  expect(messages).toEqual(['write a taken over', 'sync /disk', 'name a taken over']);
});

test('each volume is synced once, and the files of a volume whose sync failed are synced singly', async () => {
  let syncs = 0;
  const { said: messages, run } = rig(() => (syncs += 1) === 1);
  await run(['a1', 'b1', 'a2', 'b2']);
  expect(messages).toEqual(['write a1 b1 a2 b2', 'sync /disk', 'sync /disk', 'name a1 b1! a2 b2!']);
});

test('a file that could not be written is not renamed, and the others are', async () => {
  const { said: messages, run } = rig(() => true, ['bad']);
  await expect(run(['a', 'bad', 'taken'])).resolves.toEqual([
    { isTaken: false },
    { code: 'ENOSPC', message: 'no space' },
    { isTaken: true },
  ]);
  expect(messages).toEqual(['write a bad taken', 'sync /disk', 'name a taken']);
});
