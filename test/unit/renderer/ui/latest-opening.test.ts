import { expect, test } from 'vitest';
import { LatestOpening } from '../../../../renderer/ui/latest-opening.ts';

function rig() {
  const closed: string[] = [];
  const opening = new LatestOpening((id) => closed.push(id));
  /** Opens something in a core that replies when the test says so. */
  const open = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    return { opened: opening.open(() => promise), reply: resolve, fail: reject };
  };
  return { closed, opening, open };
}

test('what opens stays open', async () => {
  const { closed, opening, open } = rig();
  const { opened, reply } = open();
  reply('a');
  expect(await opened).toBe('a');
  opening.drop();
  expect(closed).toEqual([]);
});

test('what opens after its page is gone is closed', async () => {
  const { closed, opening, open } = rig();
  const { opened, reply } = open();
  opening.drop();
  reply('a');
  expect(await opened).toBeNull();
  expect(closed).toEqual(['a']);
});

test('of two requests the last one counts, whichever reply arrives first', async () => {
  const { closed, open } = rig();
  const [first, second] = [open(), open()];
  second.reply('b');
  expect(await second.opened).toBe('b');
  first.reply('a');
  expect(await first.opened).toBeNull();
  expect(closed).toEqual(['a']);
});

test('only the failure of the last request is thrown, and another request can follow', async () => {
  const { open } = rig();
  const [first, second] = [open(), open()];
  first.fail(new Error('old'));
  second.fail(new Error('new'));
  expect(await first.opened).toBeNull();
  await expect(second.opened).rejects.toThrow('new');
  const third = open();
  third.reply('c');
  expect(await third.opened).toBe('c');
});
