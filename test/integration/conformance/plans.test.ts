import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { decompressing, followPlan, servicePlans } from '../../support/lab-service/service-plans.ts';
import { startService } from '../../support/lab-service/server.ts';
import { sampleOf } from '../../support/sample.ts';
import { testCredentials } from '../../support/servers/s3-client.ts';
import { describeConformance } from './describe-conformance.ts';

/** Runs the suite on the embedded service with each plan's deviations. README.md says what that proves. */
for (const plan of sampleOf([...servicePlans, decompressing], 1)) {
  const region = plan.region ?? 'us-east-1';
  const dataDir = mkdtempSync(join(tmpdir(), 'cooper-plan-'));
  const service = await startService({ dataDir, region, credentials: [testCredentials] });
  followPlan(service, plan);
  describeConformance(
    {
      name: plan.name,
      endpoint: service.endpoint,
      virtualHostEndpoint: `http://s3.localhost:${service.port}`,
      strict: false,
      region,
      ...testCredentials,
    },
    { refused: plan.refused },
  );
  afterAll(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
}
