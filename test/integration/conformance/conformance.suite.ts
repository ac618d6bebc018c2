import { expect, test } from 'vitest';
import { describeConformance } from './describe-conformance.ts';
import { targetFromEnvironment } from './target.ts';

const target = targetFromEnvironment(process.env);
if (target === null)
  console.log('skipped: conformance (S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY are not set)');
else describeConformance(target, { file: process.env['CONFORMANCE_OUT'] || undefined });

test.skipIf(target === null)('the environment names a service', () => {
  expect(target?.endpoint).toMatch(/^https?:/);
});
