import { expect, test } from 'vitest';
import {
  explainStep,
  notable,
  testVerdict,
} from '../../../renderer/features/connections/model/explain-test.ts';
import type { TestStep, ConnectionInput } from '../../../shared/models/connection.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { fakePorts, instantClock } from '../../support/core/fake-ports.ts';
import {
  accountPlans,
  decompressing,
  followPlan,
  regionPlans,
  servicePlans,
  type ServicePlan,
} from '../../support/lab-service/service-plans.ts';

/** Returns the verdict that the window shows after "Test connection", and the cause of each step that it explains. */
async function verdictUnder(plan: ServicePlan, change: Partial<ConnectionInput> = {}) {
  const service = await serviceUnderTest(plan.region === undefined ? {} : { region: plan.region });
  const under = coreUnderTest({ service, ports: fakePorts({ clock: instantClock(Date.now()) }) });
  if (plan.region === undefined) {
    const owner = await under.core.connectionClient('samples');
    await owner.createBucket({ bucket: 'photos' });
  }
  followPlan(service, plan);
  const input = inputFor(service.endpoint, change);
  const steps: TestStep[] = [];
  for await (const step of await under.client.connections.test({ connectionId: null, input }))
    if (step.state !== 'running') steps.push(step);
  const explained = notable(steps).map((step) => explainStep(step, input));
  const { id: connectionId } = await under.client.connections.create(input);
  return {
    verdict: testVerdict(steps),
    browsing: (await under.client.buckets.list({ connectionId })).error,
    causes: explained.map(({ cause }) => cause),
    fixes: explained.map(({ fix }) => fix),
  };
}

test.each([...servicePlans, decompressing].map((plan) => [plan.name, plan] as const))(
  'the connection test passes on %s, which lacks only optional features',
  async (_name, plan) => {
    expect(await verdictUnder(plan)).toMatchObject({ verdict: 'passed', causes: [] });
  },
);

test.each(regionPlans.map((plan) => [plan.name, plan] as const))(
  'the connection test names the region of %s, and a button fills it in',
  async (_name, plan) => {
    const found = await verdictUnder(plan);
    expect(found.causes).toEqual(['region-named']);
    expect(found.fixes).toEqual([{ kind: 'use-region', region: plan.region }]);
    expect(found.verdict).not.toBe('failed');
    expect(found.browsing).toBeNull();
    expect(await verdictUnder(plan, { region: plan.region ?? '' })).toMatchObject({ causes: [] });
  },
);

test.each(accountPlans.map((plan) => [plan.name, plan] as const))(
  'the connection test names the cause on %s',
  async (_name, plan) => {
    const { verdict, causes } = await verdictUnder(plan);
    expect(verdict).toBe('failed');
    expect(causes).toEqual([plan.cause]);
  },
);
