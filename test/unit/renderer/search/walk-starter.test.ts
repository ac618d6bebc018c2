import { describe, expect, test } from 'vitest';
import { WalkStarter } from '../../../../renderer/features/search/walk-starter.ts';

function rig() {
  const closed: string[] = [];
  const starter = new WalkStarter((walkId) => closed.push(walkId));
  /** Starts a walk in a core that replies when the test says so. */
  const start = () => {
    const reply = Promise.withResolvers<{ readonly walkId: string }>();
    const started = starter.start(async () => await reply.promise);
    return { started, reply: (walkId: string) => reply.resolve({ walkId }), fail: reply.reject };
  };
  return { closed, starter, start };
}

describe('the walk of a search page', () => {
  test('is closed if the page is gone before the core replies', async () => {
    const { closed, starter, start } = rig();
    const { started, reply } = start();
    starter.drop();
    reply('w1');
    expect(await started).toBeNull();
    expect(closed).toEqual(['w1']);
  });

  test('is the last one started, whichever reply arrives first', async () => {
    const { closed, start } = rig();
    const [first, second] = [start(), start()];
    second.reply('w2');
    expect(await second.started).toBe('w2');
    first.reply('w1');
    expect(await first.started).toBeNull();
    expect(closed).toEqual(['w1']);
  });

  test('reports only the failure of the last start', async () => {
    const { start } = rig();
    const [first, second] = [start(), start()];
    first.fail(new Error('old'));
    second.fail(new Error('new'));
    expect(await first.started).toBeNull();
    await expect(second.started).rejects.toThrow('new');
  });
});
