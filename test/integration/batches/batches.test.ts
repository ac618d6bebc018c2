import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checksumOf } from '../../../electron/core/disk/checksums.ts';
import { nodeRandom } from '../../../electron/host/node-ports.ts';
import type { OperationResponse } from '../../../electron/service/context.ts';
import type { BatchOperation, NewBatch } from '../../../shared/models/batches.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceRegion,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import { fakePorts, type FakePorts } from '../../support/core/fake-ports.ts';
import { rushingClock } from '../../support/core/uploads-rig.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { startControlService, type ControlService } from '../../support/servers/control-service.ts';

const accountId = '123456789012';
const roleArn = 'arn:aws:iam::123456789012:role/batch/worker';
const strange = 'a/ä +%"☃,\n.txt';
/** The manifest of all objects of the rig's bucket. */
const manifestOfSource = 'src,a/1.txt\nsrc,a/3%203.txt\nsrc,a/%C3%A4%20%2B%25%22%E2%98%83%2C%0A.txt\n';
const tagging: BatchOperation = { kind: 'tag', tags: [{ key: 'state', value: 'old + done' }] };

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly control: ControlService;
  readonly connectionId: string;
}

function quickPorts(): FakePorts {
  const clock = { ...rushingClock(), advance: () => Promise.resolve(), sleepers: 0 };
  return fakePorts({ clock, random: nodeRandom });
}

async function rig(provider = 'aws'): Promise<Rig> {
  const service = await serviceUnderTest();
  for (const name of ['src', 'own']) service.store.buckets.create(name, 0);
  const id = service.store.buckets.get('src')?.id ?? 0;
  for (const key of ['a/1.txt', strange, 'a/3 3.txt'])
    await service.store.putBytes(id, key, Buffer.from('x'), { modifiedMs: 1e12 });
  const control = await startControlService(service.endpoint, {
    accountId,
    region: serviceRegion,
    ...serviceKeys,
  });
  onTestFinished(async () => await control.close());
  control.script = [
    { status: 'Preparing' },
    { status: 'Ready', total: 3 },
    { status: 'Active', succeeded: 1 },
    { status: 'Complete', succeeded: 3 },
  ];
  const core = coreUnderTest({ ports: quickPorts() });
  const made = await core.client.connections.create(inputFor(control.endpoint, { provider }));
  return { ...core, service, control, connectionId: made.id };
}

/** Closes the core and opens its data folder with a new one. */
async function reopened(before: Rig): Promise<Rig> {
  await before.core.close();
  const again = coreUnderTest({
    dataDir: before.dataDir,
    ports: fakePorts({ ...quickPorts(), secrets: before.ports.secrets }),
  });
  return { ...before, ...again };
}

async function searched({ client, connectionId }: Rig): Promise<string> {
  const { walkId } = await client.walks.start({
    connectionId,
    bucket: 'src',
    prefix: 'a/',
    query: everyObject,
  });
  for await (const status of await client.walks.watch({ walkId })) if (status.state === 'done') break;
  return walkId;
}

async function newBatchOf(core: Rig, change: Partial<NewBatch> = {}): Promise<NewBatch> {
  return {
    connectionId: core.connectionId,
    bucket: 'src',
    items: [{ kind: 'walk', walkId: await searched(core) }],
    operation: tagging,
    accountId,
    roleArn,
    priority: 10,
    manifest: { bucket: 'own', key: 'jobs/m & 1.csv' },
    report: { bucket: 'own', prefix: 'reports', scope: 'AllTasks' },
    asksFirst: false,
    ...change,
  };
}

async function until({ client }: Rig, jobId: string, is: (job: Job) => boolean): Promise<Job> {
  const watching = await client.jobs.watch();
  let job = await client.jobs.get({ jobId });
  if (is(job)) return job;
  for await (const _ of watching) {
    job = await client.jobs.get({ jobId });
    if (is(job)) return job;
  }
  throw new Error(`The job went no further than ${job.state}.`);
}

const rests = ({ state }: Job): boolean => ['paused', 'needs-attention', 'done', 'cancelled'].includes(state);
const asked = (core: Rig, operation: string): number =>
  core.control.requests.filter((request) => request.operation === operation).length;

async function stored({ core, connectionId }: Rig, key: string): Promise<string> {
  const { body } = await (await core.connectionClient(connectionId)).getObject({ bucket: 'own', key });
  return await text(body);
}

test('the keys of a search become a manifest, an S3 Batch job and a transfer that follows it', async () => {
  const core = await rig();
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  const job = await until(core, jobId, rests);
  expect(job).toMatchObject({
    state: 'done',
    outcome: 'batch-complete',
    partsTotal: 3,
    partsDone: 3,
    batch: {
      serviceId: core.control.jobs[0]?.id,
      objects: 3,
      region: 'us-east-1',
      seen: { status: 'Complete', succeeded: 3, failed: 0 },
      report: { bucket: 'own', prefix: 'reports' },
    },
  });
  expect(await stored(core, 'jobs/m & 1.csv')).toBe(manifestOfSource);
  const [request] = core.control.requests;
  expect(request).toMatchObject({ operation: 'CreateJob', path: '/v20180820/jobs', query: '' });
  expect(request?.headers).toMatchObject({ 'x-amz-account-id': accountId });
  const token = core.control.jobs[0]?.token ?? '';
  const etag = createHash('md5').update(manifestOfSource).digest('hex');
  // The same request as botocore 1.43 writes it, with elements in the order of the API's documentation.
  expect(request?.body.split('\n')[1]).toBe(
    '<CreateJobRequest xmlns="http://awss3control.amazonaws.com/doc/2018-08-20/">' +
      '<ConfirmationRequired>false</ConfirmationRequired>' +
      '<Operation><S3PutObjectTagging><TagSet><member><Key>state</Key><Value>old + done</Value></member></TagSet></S3PutObjectTagging></Operation>' +
      '<Report><Bucket>arn:aws:s3:::own</Bucket><Format>Report_CSV_20180820</Format><Enabled>true</Enabled><Prefix>reports</Prefix><ReportScope>AllTasks</ReportScope></Report>' +
      `<ClientRequestToken>${token}</ClientRequestToken>` +
      '<Manifest><Spec><Format>S3BatchOperations_CSV_20180820</Format><Fields><member>Bucket</member><member>Key</member></Fields></Spec>' +
      `<Location><ObjectArn>arn:aws:s3:::own/jobs/m &amp; 1.csv</ObjectArn><ETag>${etag}</ETag></Location></Manifest>` +
      `<Description>Cooper ${token}: src</Description><Priority>10</Priority><RoleArn>${roleArn}</RoleArn></CreateJobRequest>`,
  );
  // No file of the manifest remains on this computer.
  expect(readdirSync(path.join(core.dataDir, 'batches'))).toEqual([]);
  expect(
    (await core.client.jobs.attempts({ jobId, beforeId: null, limit: 50 }))
      .map(({ request: name }) => name)
      .toReversed(),
  ).toEqual(['put-object', 'create-batch', ...Array.from({ length: 4 }, () => 'describe-batch')]);
});

test.each<[BatchOperation, string]>([
  [
    { kind: 'copy', bucket: 'own', prefix: 'to', storageClass: 'GLACIER' },
    '<S3PutObjectCopy><TargetResource>arn:aws-cn:s3:::own</TargetResource><StorageClass>GLACIER</StorageClass><TargetKeyPrefix>to</TargetKeyPrefix></S3PutObjectCopy>',
  ],
  [
    { kind: 'restore', days: 3, tier: 'BULK' },
    '<S3InitiateRestoreObject><ExpirationInDays>3</ExpirationInDays><GlacierJobTier>BULK</GlacierJobTier></S3InitiateRestoreObject>',
  ],
  [
    { kind: 'expire', tag: { key: 'delete', value: '1' } },
    '<S3PutObjectTagging><TagSet><member><Key>delete</Key><Value>1</Value></member></TagSet></S3PutObjectTagging>',
  ],
])('a batch operation is sent as the API requires (%j)', async (operation, xml) => {
  const core = await rig();
  const { jobId } = await core.client.batches.create(
    await newBatchOf(core, { operation, roleArn: 'arn:aws-cn:iam::123456789012:role/r' }),
  );
  await until(core, jobId, rests);
  expect(core.control.requests[0]?.body).toContain(`<Operation>${xml}</Operation>`);
});

test.each([
  ['applied', true],
  ['not applied', false],
])(
  'a lost response to CreateJob (%s) leads to one job, created with the same token',
  async (_, isApplied) => {
    const core = await rig();
    core.control.fail(
      'CreateJob',
      { kind: 'lost', isApplied },
      { kind: 'error', status: 429, code: 'TooManyRequestsException' },
    );
    const { jobId } = await core.client.batches.create(await newBatchOf(core));
    expect(await until(core, jobId, rests)).toMatchObject({ state: 'done', batch: { isInDoubt: false } });
    expect(core.control.jobs).toHaveLength(1);
    const bodies = core.control.requests
      .filter(({ operation }) => operation === 'CreateJob')
      .map(({ body }) => body);
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    expect(new Set(bodies).size).toBe(1);
  },
);

test('a batch job whose token the service calls used is found by its description', async () => {
  const core = await rig();
  core.control.fail(
    'CreateJob',
    { kind: 'lost', isApplied: true },
    { kind: 'error', status: 400, code: 'IdempotencyException' },
  );
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({
    state: 'done',
    batch: { serviceId: core.control.jobs[0]?.id },
  });
  expect(core.control.jobs).toHaveLength(1);
});

test('a program that ends during CreateJob resumes with the same token and follows the one job', async () => {
  const first = await rig();
  first.control.fail('CreateJob', { kind: 'hang', isApplied: true });
  const { jobId } = await first.client.batches.create(await newBatchOf(first));
  await first.control.made();
  const second = await reopened(first);
  expect(await until(second, jobId, rests)).toMatchObject({ state: 'done', outcome: 'batch-complete' });
  expect(second.control.jobs).toHaveLength(1);
  expect(asked(second, 'CreateJob')).toBe(2);
});

test('a running batch job is followed after a restart', async () => {
  const first = await rig();
  first.control.script = [{ status: 'Active', total: 3, succeeded: 1 }];
  const { jobId } = await first.client.batches.create(await newBatchOf(first));
  await until(first, jobId, ({ partsDone }) => partsDone === 1);
  const second = await reopened(first);
  second.control.play(second.control.jobs[0]?.id ?? '', { status: 'Complete', succeeded: 3 });
  expect(await until(second, jobId, rests)).toMatchObject({ state: 'done', partsDone: 3 });
  expect(asked(second, 'CreateJob')).toBe(1);
});

test('a batch job that needs confirmation waits for the user, then runs', async () => {
  const core = await rig();
  core.control.script = [
    { status: 'Suspended', total: 3 },
    { status: 'Active' },
    { status: 'Complete', succeeded: 3 },
  ];
  const { jobId } = await core.client.batches.create(await newBatchOf(core, { asksFirst: true }));
  expect(await until(core, jobId, rests)).toMatchObject({
    state: 'needs-attention',
    reason: 'batch-confirm',
    batch: { seen: { status: 'Suspended', total: 3 } },
  });
  expect(core.control.requests[0]?.body).toContain('<ConfirmationRequired>true</ConfirmationRequired>');
  // Checking the job again does not confirm it.
  await core.client.jobs.retryNow({ jobIds: [jobId] });
  await until(core, jobId, (job) => rests(job) && asked(core, 'DescribeJob') > 1);
  expect(asked(core, 'UpdateJobStatus')).toBe(0);
  await core.client.batches.confirm({ jobId });
  expect(await until(core, jobId, ({ state }) => state === 'done')).toMatchObject({ partsDone: 3 });
  expect(core.control.requests.find(({ operation }) => operation === 'UpdateJobStatus')).toMatchObject({
    path: `/v20180820/jobs/${core.control.jobs[0]?.id}/status`,
    query: 'requestedJobStatus=Ready',
  });
});

test('cancelling a batch job tells the service and waits for it, while a pause changes nothing there', async () => {
  const core = await rig();
  core.control.script = [{ status: 'Active', total: 3, succeeded: 1 }];
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  await until(core, jobId, ({ partsDone }) => partsDone === 1);
  await core.client.jobs.pause({ jobIds: null });
  expect(await core.client.jobs.get({ jobId })).toMatchObject({
    state: expect.not.stringMatching('paused') as string,
  });
  await core.client.jobs.cancel({ jobIds: [jobId] });
  expect(await until(core, jobId, rests)).toMatchObject({
    state: 'cancelled',
    batch: { seen: { status: 'Cancelled', succeeded: 1 } },
  });
});

test('a batch job cancelled while its creation is in doubt is looked up and cancelled at the service', async () => {
  const core = await rig();
  core.control.script = [{ status: 'Active', total: 3 }];
  core.control.fail('CreateJob', { kind: 'hang', isApplied: true });
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  await core.control.made();
  await core.client.jobs.cancel({ jobIds: [jobId] });
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'cancelled' });
  expect(core.control.jobs.map(({ seen }) => seen.status)).toEqual(['Cancelled']);
});

test('a batch job that completed before its cancel is done', async () => {
  const core = await rig();
  core.control.script = [{ status: 'Active', total: 3 }];
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  await until(core, jobId, ({ batch }) => batch?.seen?.status === 'Active');
  core.control.fail('UpdateJobStatus', { kind: 'error', status: 400, code: 'JobStatusException' });
  core.control.play(core.control.jobs[0]?.id ?? '', { status: 'Complete', succeeded: 3 });
  await core.client.jobs.cancel({ jobIds: [jobId] });
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done', batch: { cancelRequested: false } });
});

test('a batch job with failed objects needs attention', async () => {
  const core = await rig();
  core.control.script = [{ status: 'Complete', total: 3, succeeded: 2, failed: 1 }];
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  const job = await until(core, jobId, rests);
  expect(job).toMatchObject({
    state: 'needs-attention',
    reason: 'batch-items-failed',
    partsDone: 3,
    batch: { seen: { status: 'Complete', succeeded: 2, failed: 1 } },
  });
  await core.client.jobs.retryNow({ jobIds: [jobId] });
  expect(await core.client.jobs.get({ jobId })).toEqual(job);
  expect(await core.client.jobs.clear({ jobIds: [jobId] })).toEqual({ removed: 1 });
});

test('a batch job that fails at the service reports why and cannot be retried', async () => {
  const core = await rig();
  const failures = [{ code: 'ManifestNotFound', reason: 'The manifest was not found.' }];
  core.control.script = [{ status: 'Failing' }, { status: 'Failed', failures }];
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  const job = await until(core, jobId, rests);
  expect(job).toMatchObject({
    state: 'needs-attention',
    reason: 'batch-failed',
    batch: { seen: { failures } },
  });
  await core.client.jobs.retryNow({ jobIds: [jobId] });
  expect(await core.client.jobs.get({ jobId })).toEqual(job);
  expect(await core.client.jobs.clear({ jobIds: [jobId] })).toEqual({ removed: 1 });
});

test('a refused CreateJob created nothing, so a cancel sends no request', async () => {
  const core = await rig();
  core.control.fail('CreateJob', { kind: 'error', status: 400, code: 'InvalidRequest' });
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({
    state: 'needs-attention',
    reason: 'refused',
    error: { s3: { code: 'InvalidRequest' } },
    batch: { isInDoubt: false, serviceId: null },
  });
  await core.client.jobs.cancel({ jobIds: [jobId] });
  expect(await until(core, jobId, ({ state }) => state === 'cancelled')).toMatchObject({ outcome: null });
  expect(asked(core, 'CreateJob')).toBe(1);
});

test('throttling while a batch job is followed is waited out', async () => {
  const core = await rig();
  const busy = { kind: 'error', status: 503, code: 'SlowDown' } as const;
  core.control.fail('DescribeJob', ...Array.from({ length: 8 }, () => busy));
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done', error: null });
});

test("an existing object at the manifest's key is not overwritten", async () => {
  const core = await rig();
  const ownerBucketId = core.service.store.buckets.get('own')?.id ?? 0;
  await core.service.store.putBytes(ownerBucketId, 'jobs/m & 1.csv', Buffer.from('mine'), {
    modifiedMs: 1e12,
  });
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({
    state: 'needs-attention',
    reason: 'manifest-taken',
  });
  expect(await stored(core, 'jobs/m & 1.csv')).toBe('mine');
  expect(asked(core, 'CreateJob')).toBe(0);
});

test('a manifest whose PUT had no response is recognised and not sent twice', async () => {
  const core = await rig();
  core.service.faults.add({ operation: 'PutObject', action: { kind: 'reset', apply: true } });
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done' });
});

test('the PUT of a manifest carries its CRC-64 where the provider documents one', async () => {
  const core = await rig();
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done' });
  const manifest = Buffer.from(await stored(core, 'jobs/m & 1.csv'));
  const put = core.service.faults.journal.find(({ operation }) => operation === 'PutObject');
  expect(put?.headers.get('x-amz-checksum-crc64nvme')).toBe(checksumOf('crc64nvme', manifest));
});

test('a damaged manifest left by a PUT without a response is replaced before CreateJob names it', async () => {
  const core = await rig();
  const ownerBucketId = core.service.store.buckets.get('own')?.id ?? 0;
  const { faults, store } = core.service;
  const metadata = (): Record<string, string> => ({
    'cooper-batch': faults.journal.at(-1)?.headers.get('x-amz-meta-cooper-batch') ?? '',
  });
  const damage = async (): Promise<OperationResponse> => {
    await store.putBytes(ownerBucketId, 'jobs/m & 1.csv', Buffer.from(manifestOfSource.replace('1', 'X')), {
      modifiedMs: 1e12,
      metadata: metadata(),
    });
    return { status: 500, headers: {}, body: null };
  };
  faults.add({ operation: 'PutObject', action: { kind: 'change-answer', change: damage } });
  const { jobId } = await core.client.batches.create(await newBatchOf(core));
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done' });
  expect(await stored(core, 'jobs/m & 1.csv')).toBe(manifestOfSource);
  expect(core.control.requests.find(({ operation }) => operation === 'CreateJob')?.body).toContain(
    `<ETag>${createHash('md5').update(manifestOfSource).digest('hex')}</ETag>`,
  );
});

test('batch jobs are unsupported at another provider, without a request', async () => {
  const core = await rig('custom');
  await expect(core.client.batches.create(await newBatchOf(core))).rejects.toMatchObject({
    data: { code: 'unsupported' },
  });
  expect(core.control.requests).toEqual([]);
});

test('a selection in a folder becomes a manifest with everything below its folders and nothing else', async () => {
  const core = await rig();
  const src = core.service.store.buckets.get('src')?.id ?? 0;
  for (const key of ['a', 'ab/1', 'z'])
    await core.service.store.putBytes(src, key, Buffer.from('x'), { modifiedMs: 1e12 });
  const input = await newBatchOf(core, {
    items: [
      { kind: 'prefix', prefix: 'a/' },
      { kind: 'key', key: 'z' },
    ],
  });
  const { jobId } = await core.client.batches.create(input);
  expect(await until(core, jobId, rests)).toMatchObject({ state: 'done', batch: { objects: 4 } });
  expect((await stored(core, 'jobs/m & 1.csv')).trimEnd().split('\n').toSorted()).toEqual([
    'src,a/%C3%A4%20%2B%25%22%E2%98%83%2C%0A.txt',
    'src,a/1.txt',
    'src,a/3%203.txt',
    'src,z',
  ]);
});

test('a search without results creates no batch job and leaves no file', async () => {
  const core = await rig();
  const input = await newBatchOf(core, { items: [{ kind: 'prefix', prefix: 'none/' }] });
  await expect(core.client.batches.create(input)).rejects.toMatchObject({ data: { reason: 'batch-empty' } });
  expect(readdirSync(path.join(core.dataDir, 'batches'))).toEqual([]);
});

test('a batch job aborted while its keys are written is not created and leaves no file', async () => {
  const core = await rig();
  const stop = new AbortController();
  const input = await newBatchOf(core, { items: [{ kind: 'prefix', prefix: 'a/' }] });
  core.service.faults.add({ operation: 'ListObjectsV2', action: { kind: 'hang', apply: false } });
  const made = core.client.batches.create(input, { signal: stop.signal });
  await vi.waitUntil(() => existsSync(path.join(core.dataDir, 'batches')));
  stop.abort();
  await expect(made).rejects.toThrow(/abort|cancel/i);
  await vi.waitUntil(() => readdirSync(path.join(core.dataDir, 'batches')).length === 0);
  expect((await core.client.jobs.counts()).total).toBe(0);
});

test('manifests without a job are removed at the next start, and those of jobs stay', async () => {
  const first = await rig();
  first.service.faults.add({
    operation: 'PutObject',
    times: Number.POSITIVE_INFINITY,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const { jobId } = await first.client.batches.create(await newBatchOf(first));
  await until(first, jobId, rests);
  writeFileSync(path.join(first.dataDir, 'batches', 'left.csv'), 'src,a\n');
  const second = await reopened(first);
  await until(second, jobId, rests);
  await second.core.close();
  expect(readdirSync(path.join(second.dataDir, 'batches'))).toEqual([`${jobId}.csv`]);
});

test('the expiry rule for a tag is added after the existing rules and then found', async () => {
  const core = await rig();
  const place = { connectionId: core.connectionId, bucket: 'src' };
  const before =
    '<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Rule><ID>delete-by-tag</ID><Filter><Prefix>x/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>9</Days></Expiration></Rule></LifecycleConfiguration>';
  core.control.lifecycles.set('src', before);
  const tag = { key: 'delete', value: '2026-1' };
  const rule = await core.client.batches.expiryRule({ ...place, tag, days: 1 });
  expect(rule).toMatchObject({ state: 'absent', error: null });
  await core.client.bucketSettings.save({
    ...place,
    section: 'lifecycle',
    text: rule.text ?? '',
    expected: rule.fingerprint,
  });
  expect(core.control.lifecycles.get('src')?.replaceAll(/\n\s*/g, '')).toBe(
    before.replace(
      '</LifecycleConfiguration>',
      '<Rule><ID>delete-by-tag-2</ID><Filter><Tag><Key>delete</Key><Value>2026-1</Value></Tag></Filter><Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>',
    ),
  );
  expect(await core.client.batches.expiryRule({ ...place, tag, days: 1 })).toMatchObject({ state: 'there' });
});
