import { describe, expect, test } from 'vitest';
import { LinkTaker } from '../../../../renderer/features/s3-links/link-taker.ts';
import type { LinkedPlace } from '../../../../renderer/features/s3-links/linked-place.ts';
import type { WaitingLink } from '../../../../shared/models/links.ts';

const linkTo = (bucket: string): WaitingLink => ({ bucket, prefix: '', decodedPrefix: null });
const placeOf = ({ bucket, prefix }: WaitingLink): LinkedPlace => ({ connectionId: 'c', bucket, prefix });

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Returns a `LinkTaker` with a queue and settings that the test controls. */
function rig() {
  const queue: WaitingLink[] = [];
  const questions: string[] = [];
  const opened: string[] = [];
  const state = { isAsking: false, asksFirst: true, gate: Promise.resolve() };
  const taker = new LinkTaker({
    take: async () => await Promise.resolve(queue.shift() ?? null),
    placeOf: async (link) => {
      await state.gate;
      return state.asksFirst ? null : placeOf(link);
    },
    open: async ({ bucket }) => {
      if (bucket === 'gone') throw new Error('The bucket is gone.');
      opened.push(bucket);
      await Promise.resolve();
    },
    ask: ({ bucket }) => {
      state.isAsking = true;
      questions.push(bucket);
    },
    isAsking: () => state.isAsking,
  });
  const arrive = async (bucket: string): Promise<void> => {
    queue.push(linkTo(bucket));
    await taker.takeWaiting();
  };
  return { queue, questions, opened, state, taker, arrive };
}

describe('links from other programs', () => {
  test('wait in the queue while the settings for an earlier link are read, and while its question is open', async () => {
    const { queue, questions, state, taker, arrive } = rig();
    const settings = Promise.withResolvers<void>();
    state.gate = settings.promise;
    const first = arrive('first');
    await settle();
    const second = arrive('second');
    await settle();
    settings.resolve();
    await Promise.all([first, second]);
    expect(questions).toEqual(['first']);
    expect(queue).toEqual([linkTo('second')]);
    await taker.takeWaiting();
    expect(questions).toEqual(['first']);
    state.isAsking = false;
    await taker.takeWaiting();
    expect(questions).toEqual(['first', 'second']);
  });

  test('are opened in order if no question is needed', async () => {
    const { opened, state, arrive } = rig();
    state.asksFirst = false;
    await Promise.all([arrive('first'), arrive('second'), arrive('third')]);
    expect(opened).toEqual(['first', 'second', 'third']);
  });

  test('are taken again after one could not be opened', async () => {
    const { opened, state, arrive } = rig();
    state.asksFirst = false;
    await expect(arrive('gone')).rejects.toThrow('The bucket is gone.');
    await arrive('next');
    expect(opened).toEqual(['next']);
  });

  test('are taken if they arrive just as the queue was found empty', async () => {
    const { opened, queue, state } = rig();
    state.asksFirst = false;
    let hasArrived = false;
    const taker: LinkTaker = new LinkTaker({
      take: async () => {
        const link = queue.shift() ?? null;
        if (link === null && !hasArrived) {
          hasArrived = true;
          queue.push(linkTo('late'));
          await taker.takeWaiting();
        }
        return link;
      },
      placeOf: async (link) => await Promise.resolve(placeOf(link)),
      open: async ({ bucket }) => {
        opened.push(bucket);
        await Promise.resolve();
      },
      ask: () => undefined,
      isAsking: () => false,
    });
    await taker.takeWaiting();
    expect(opened).toEqual(['late']);
  });
});
