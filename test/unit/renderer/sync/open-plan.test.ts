import { describe, expect, test } from 'vitest';
import { OpenPlan } from '../../../../renderer/features/sync/open-plan.ts';

function rig() {
  const closed: string[] = [];
  const plan = new OpenPlan((planId) => closed.push(planId));
  /** Requests a plan from a core that replies when the test says so. */
  const request = () => {
    const reply = Promise.withResolvers<{ readonly planId: string }>();
    const opened = plan.open(async () => await reply.promise);
    return { opened, reply: (planId: string) => reply.resolve({ planId }), fail: reply.reject };
  };
  return { closed, plan, request };
}

describe('the plan of a sync dialog', () => {
  test('is open in the core until the dialog drops it', async () => {
    const { closed, plan, request } = rig();
    const { opened, reply } = request();
    reply('p1');
    expect(await opened).toBe('p1');
    expect(closed).toEqual([]);
    plan.drop();
    plan.drop();
    expect(closed).toEqual(['p1']);
  });

  test('is closed if the dialog closes before the core replies', async () => {
    const { closed, plan, request } = rig();
    const { opened, reply } = request();
    plan.drop();
    reply('p1');
    expect(await opened).toBeNull();
    expect(closed).toEqual(['p1']);
  });

  test('is closed if another plan was requested before the core replies', async () => {
    const { closed, plan, request } = rig();
    const [first, second] = [request(), request()];
    second.reply('p2');
    expect(await second.opened).toBe('p2');
    first.reply('p1');
    expect(await first.opened).toBeNull();
    expect(closed).toEqual(['p1']);
    plan.drop();
    expect(closed).toEqual(['p1', 'p2']);
  });

  test('can be requested again after a failure', async () => {
    const { closed, request } = rig();
    const first = request();
    first.fail(new Error('The folder is gone.'));
    await expect(first.opened).rejects.toThrow('The folder is gone.');
    const second = request();
    second.reply('p2');
    expect(await second.opened).toBe('p2');
    expect(closed).toEqual([]);
  });
});
