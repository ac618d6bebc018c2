import { AppFailure } from '../../../../shared/errors.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import {
  batchStatuses,
  type BatchOperation,
  type ReportedBatchState,
} from '../../../../shared/models/batches.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable, type S3Operation } from '../http/s3-operation.ts';
import { pagesOf } from '../listing/pages.ts';
import type { BatchOperations, ControlPlace, CreateBatchInput } from '../model/s3-client.ts';
import { encodeComponent } from '../model/encode.ts';
import type { Quote } from '../model/redact.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { parseCount, textOrNull, type XmlElement } from '../xml/parse.ts';
import { escapeXml } from '../xml/render.ts';

const jobsPath = '/v20180820/jobs';
const namespace = 'http://awss3control.amazonaws.com/doc/2018-08-20/';
/** The maximum number of jobs on a page of ListJobs. */
const jobsPerPage = 1000;

/**
 * Implements S3 Batch Operations (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_AWS_S3_Control.html). Requests
 * are signed for `s3` and contain the account in a header. List elements are called `member`, as in the model of the API.
 */
export function batchOperations(executor: Executor): BatchOperations {
  return {
    hasBatches: executor.quirks.controlHost !== null,

    async createBatch(input, options) {
      return await executor.execute(
        // The token makes the request idempotent.
        repeatable({
          ...request('CreateJob', 'POST', input, jobsPath),
          body: Buffer.from(renderCreateJob(input), 'utf8'),
        }),
        options,
        async (response) => ({ serviceId: requiredText(await response.xml('CreateJobResult'), 'JobId') }),
      );
    },

    describeBatch: async (input, options) =>
      await executor.execute(
        repeatable(request('DescribeJob', 'GET', input, `${jobsPath}/${encodeComponent(input.serviceId)}`)),
        options,
        async (response) => readJob(await response.xml('DescribeJobResult'), response.quote),
      ),

    async updateBatchStatus(input, options) {
      const path = `${jobsPath}/${encodeComponent(input.serviceId)}/status`;
      try {
        await executor.execute(
          repeatable({
            ...request('UpdateJobStatus', 'POST', input, path),
            query: { requestedJobStatus: input.requestedStatus },
          }),
          options,
          async (response) => await response.xml('UpdateJobStatusResult'),
        );
        return true;
      } catch (thrown) {
        if (thrown instanceof AppFailure && thrown.error.s3?.code === 'JobStatusException') return false;
        throw thrown;
      }
    },

    async findBatch({ description, ...place }, options) {
      const pages = pagesOf(
        async (token: string | null) =>
          await executor.execute(
            repeatable({
              ...request('ListJobs', 'GET', place, jobsPath),
              query: { maxResults: String(jobsPerPage), ...(token === null ? {} : { nextToken: token }) },
            }),
            options,
            async (response) => readList(await response.xml('ListJobsResult')),
          ),
        (page) => page.nextToken,
      );
      const seen = new Set<string>();
      for await (const { jobs, nextToken } of pages) {
        const found = jobs.find((job) => job.description === description);
        if (found !== undefined) return found.serviceId;
        if (nextToken !== null && seen.has(nextToken))
          throw protocolFailure('listing-stuck', 'The pages of the list of jobs repeat.');
        if (nextToken !== null) seen.add(nextToken);
      }
      return null;
    },
  };
}

function request(
  name: string,
  method: 'GET' | 'POST',
  { accountId, region }: ControlPlace,
  path: string,
): Pick<S3Operation, 'name' | 'method' | 'control' | 'headers'> {
  return {
    name,
    method,
    control: { accountId, region, path },
    headers: {
      'x-amz-account-id': accountId,
      ...(method === 'POST' ? { 'content-type': 'application/xml' } : {}),
    },
  };
}

/**
 * Returns the ARN of a bucket or object. Its partition (`aws`, `aws-cn`, `aws-us-gov`) is that of the role, because all resources
 * of an account share it.
 */
function arnOf(roleArn: string, bucket: string, key?: string): string {
  const partition = roleArn.split(':')[1] ?? 'aws';
  return `arn:${partition}:s3:::${bucket}${key === undefined ? '' : `/${key}`}`;
}

const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const text = (name: string, value: string): string => tag(name, escapeXml(value));

/** Renders the body of CreateJob, in the element order of the API description. */
function renderCreateJob(input: CreateBatchInput): string {
  const { manifest, report, roleArn } = input;
  const location = [
    text('ObjectArn', arnOf(roleArn, manifest.bucket, manifest.key)),
    manifest.versionId === null ? '' : text('ObjectVersionId', manifest.versionId),
    text('ETag', manifest.etag),
  ].join('');
  const fields = tag('Fields', tag('member', 'Bucket') + tag('member', 'Key'));
  const content = [
    tag('ConfirmationRequired', String(input.asksFirst)),
    tag('Operation', renderOperation(input.operation, roleArn)),
    tag(
      'Report',
      [
        text('Bucket', arnOf(roleArn, report.bucket)),
        tag('Format', 'Report_CSV_20180820'),
        tag('Enabled', 'true'),
        report.prefix === '' ? '' : text('Prefix', report.prefix),
        tag('ReportScope', report.scope),
      ].join(''),
    ),
    text('ClientRequestToken', input.token),
    tag(
      'Manifest',
      tag('Spec', tag('Format', 'S3BatchOperations_CSV_20180820') + fields) + tag('Location', location),
    ),
    text('Description', input.description),
    tag('Priority', String(input.priority)),
    text('RoleArn', roleArn),
  ].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<CreateJobRequest xmlns="${namespace}">${content}</CreateJobRequest>`;
}

function renderOperation(operation: BatchOperation, roleArn: string): string {
  switch (operation.kind) {
    case 'tag':
      return tag('S3PutObjectTagging', renderTags(operation.tags));
    case 'expire':
      return tag('S3PutObjectTagging', renderTags([operation.tag]));
    case 'copy':
      return tag(
        'S3PutObjectCopy',
        [
          text('TargetResource', arnOf(roleArn, operation.bucket)),
          operation.storageClass === null ? '' : text('StorageClass', operation.storageClass),
          operation.prefix === '' ? '' : text('TargetKeyPrefix', operation.prefix),
        ].join(''),
      );
    case 'restore':
      return tag(
        'S3InitiateRestoreObject',
        tag('ExpirationInDays', String(operation.days)) + tag('GlacierJobTier', operation.tier),
      );
    default:
      return assertNever(operation);
  }
}

function renderTags(tags: readonly { readonly key: string; readonly value: string }[]): string {
  const members = tags.map(({ key, value }) => tag('member', text('Key', key) + text('Value', value)));
  return tag('TagSet', members.join(''));
}

function requiredText(element: XmlElement, name: string): string {
  const found = textOrNull(element.child(name)?.trim() ?? null);
  if (found !== null) return found;
  throw protocolFailure('unexpected-answer', `The response has no ${name}.`);
}

/** The maximum length of a quoted reason, more than AWS sends. */
const maxReasonChars = 1000;

function readJob(root: XmlElement, quote: Quote): ReportedBatchState {
  const job = root.first('Job');
  if (job === null) throw protocolFailure('unexpected-answer', 'The response describes no job.');
  const name = requiredText(job, 'Status');
  const status = batchStatuses.find((known) => known === name);
  if (status === undefined)
    throw protocolFailure('unexpected-answer', `The job has an unknown status: "${name}".`);
  const progress = job.first('ProgressSummary');
  const count = (element: string): number => {
    const value = progress?.child(element) ?? null;
    return value === null ? 0 : parseCount(value, element);
  };
  const reasons = job.first('FailureReasons');
  return {
    status,
    total: count('TotalNumberOfTasks'),
    succeeded: count('NumberOfTasksSucceeded'),
    failed: count('NumberOfTasksFailed'),
    // The documentation names list elements by their shape; the model of the API calls them `member`. Both are accepted.
    failures: [...(reasons?.all('member') ?? []), ...(reasons?.all('JobFailure') ?? [])].map((reason) => ({
      code: reason.child('FailureCode')?.trim() ?? '',
      reason: quote(reason.child('FailureReason') ?? '', maxReasonChars),
    })),
    reason:
      textOrNull(quote(job.child('SuspendedCause') ?? '', maxReasonChars)) ??
      textOrNull(quote(job.child('StatusUpdateReason') ?? '', maxReasonChars)),
  };
}

interface ListedJobs {
  readonly jobs: readonly { readonly serviceId: string; readonly description: string | null }[];
  readonly nextToken: string | null;
}

function readList(root: XmlElement): ListedJobs {
  const list = root.first('Jobs');
  const jobs = [...(list?.all('member') ?? []), ...(list?.all('JobListDescriptor') ?? [])];
  return {
    jobs: jobs.map((job) => ({
      serviceId: requiredText(job, 'JobId'),
      description: job.child('Description'),
    })),
    nextToken: textOrNull(root.child('NextToken')),
  };
}
