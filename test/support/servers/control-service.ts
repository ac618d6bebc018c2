import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { XMLParser } from 'fast-xml-parser';
import type { ReportedBatchState, BatchStatus } from '../../../shared/models/batches.ts';
import { referenceSignature } from '../sigv4-reference.ts';

/** A request to S3 Control, as received. */
export interface ControlRequest {
  readonly operation: 'CreateJob' | 'DescribeJob' | 'UpdateJobStatus' | 'ListJobs';
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * A fault for the next request of an operation. With `lost`, the connection is reset. With `isApplied`, the request is carried
 * out anyway.
 */
export type ControlFault =
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** No response is sent until the client closes the connection. */
  | { readonly kind: 'hang'; readonly isApplied: boolean }
  | { readonly kind: 'error'; readonly status: number; readonly code: string };

interface MadeJob {
  readonly id: string;
  readonly token: string;
  readonly body: string;
  readonly description: string;
  readonly asksFirst: boolean;
  seen: ReportedBatchState;
}

export interface ControlService {
  readonly endpoint: string;
  readonly requests: readonly ControlRequest[];
  /** The created jobs, oldest first. */
  readonly jobs: readonly MadeJob[];
  /** Lifecycle configurations by bucket, which the upstream service does not support. */
  readonly lifecycles: Map<string, string>;
  /** Injects these faults into the next requests of the operation, one per request. */
  fail(operation: ControlRequest['operation'], ...faults: readonly ControlFault[]): void;
  /** Resolves once a job has been created, even if its response was lost. */
  made(): Promise<void>;
  /** Sets a job's next states. Each request for its status advances by one step. */
  play(jobId: string, ...steps: readonly Partial<ReportedBatchState>[]): void;
  /** The states that each new job goes through, one step per request for its status. */
  script: readonly Partial<ReportedBatchState>[];
  close(): Promise<void>;
}

export interface ControlOptions {
  readonly accountId: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const namespace = 'http://awss3control.amazonaws.com/doc/2018-08-20/';
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });

/**
 * Starts a fake S3 Control, written from its documentation (Amazon S3 API Reference, "Amazon S3 Control"; model s3control
 * 2018-08-20), as a proxy of a service with the buckets. Checks signature, account and token, records requests, runs no job.
 */
export async function startControlService(
  upstream: string,
  options: ControlOptions,
): Promise<ControlService> {
  const requests: ControlRequest[] = [];
  const jobs: MadeJob[] = [];
  const faults = new Map<string, ControlFault[]>();
  const played = new Map<string, Partial<ReportedBatchState>[]>();
  const lifecycles = new Map<string, string>();
  const firstMade = Promise.withResolvers<undefined>();
  const { hostname, port } = new URL(upstream);

  const jobOf = (id: string): MadeJob => {
    const job = jobs.find((job) => job.id === id);
    if (job === undefined) throw new Refusal(404, 'NotFoundException');
    return job;
  };

  const create = (body: string): string => {
    const newJob = readCreate(body);
    const known = jobs.find(({ token }) => token === newJob.token);
    if (known !== undefined && known.body !== body) throw new Refusal(400, 'IdempotencyException');
    const job: MadeJob = known ?? {
      ...newJob,
      id: `00000000-0000-4000-8000-${String(jobs.length + 1).padStart(12, '0')}`,
      body,
      seen: { status: 'New', total: 0, succeeded: 0, failed: 0, failures: [], reason: null },
    };
    if (known === undefined) {
      jobs.push(job);
      firstMade.resolve(undefined);
      played.set(job.id, [...service.script]);
    }
    return `<CreateJobResult xmlns="${namespace}"><JobId>${job.id}</JobId></CreateJobResult>`;
  };

  const describe = (id: string): string => {
    const job = jobOf(id);
    const step = played.get(id)?.[0];
    // A job that needs confirmation does not advance before it is confirmed.
    if (step !== undefined && job.seen.status !== 'Suspended') {
      played.get(id)?.shift();
      job.seen = { ...job.seen, ...step };
    }
    const { status, total, succeeded, failed, failures, reason } = job.seen;
    const members = failures.map(
      (job) =>
        `<member><FailureCode>${job.code}</FailureCode><FailureReason>${job.reason}</FailureReason></member>`,
    );
    return (
      `<DescribeJobResult xmlns="${namespace}"><Job><JobId>${id}</JobId>` +
      `<ConfirmationRequired>${job.asksFirst}</ConfirmationRequired><Description>${job.description}</Description>` +
      `<Status>${status}</Status><ProgressSummary><TotalNumberOfTasks>${total}</TotalNumberOfTasks>` +
      `<NumberOfTasksSucceeded>${succeeded}</NumberOfTasksSucceeded>` +
      `<NumberOfTasksFailed>${failed}</NumberOfTasksFailed>` +
      `<Timers><ElapsedTimeInActiveSeconds>1</ElapsedTimeInActiveSeconds></Timers></ProgressSummary>` +
      (reason === null ? '' : `<StatusUpdateReason>${reason}</StatusUpdateReason>`) +
      (members.length === 0 ? '' : `<FailureReasons>${members.join('')}</FailureReasons>`) +
      `<CreationTime>2026-01-01T00:00:00Z</CreationTime></Job></DescribeJobResult>`
    );
  };

  const over: ReadonlySet<BatchStatus> = new Set(['Complete', 'Cancelled', 'Failed']);
  const update = (id: string, wanted: string | null): string => {
    const job = jobOf(id);
    const { status } = job.seen;
    if (wanted === 'Ready') {
      if (status !== 'Suspended') throw new Refusal(400, 'JobStatusException');
      job.seen = { ...job.seen, status: 'Ready' };
    } else if (wanted === 'Cancelled') {
      if (over.has(status)) throw new Refusal(400, 'JobStatusException');
      job.seen = { ...job.seen, status: 'Cancelling' };
      played.set(id, [{ status: 'Cancelled' }]);
    } else throw new Refusal(400, 'BadRequestException');
    return `<UpdateJobStatusResult xmlns="${namespace}"><JobId>${id}</JobId><Status>${job.seen.status}</Status></UpdateJobStatusResult>`;
  };

  const list = (): string => {
    const members = jobs.map(
      ({ id, description, seen }) =>
        `<member><JobId>${id}</JobId><Description>${description}</Description><Status>${seen.status}</Status></member>`,
    );
    return `<ListJobsResult xmlns="${namespace}"><Jobs>${members.join('')}</Jobs></ListJobsResult>`;
  };

  const carryOut = ({ operation, path, query, body }: ControlRequest): string => {
    const id = decodeURIComponent(path.split('/')[3] ?? '');
    switch (operation) {
      case 'CreateJob':
        return create(body);
      case 'DescribeJob':
        return describe(id);
      case 'UpdateJobStatus':
        return update(id, new URLSearchParams(query).get('requestedJobStatus'));
      case 'ListJobs':
        return list();
      default:
        return operation satisfies never;
    }
  };

  const control = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const seen: ControlRequest = {
      operation: operationOf(request.method ?? '', path),
      path,
      query,
      headers: request.headers,
      body,
    };
    requests.push(seen);
    const fault = faults.get(seen.operation)?.shift();
    const reply = (): { readonly status: number; readonly body: string } => {
      try {
        check(request, seen, options);
        return { status: 200, body: carryOut(seen) };
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown;
        return { status: thrown.status, body: errorOf(thrown.code) };
      }
    };
    const send = ({ status, body: text }: { readonly status: number; readonly body: string }): void => {
      response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'CONTROL' });
      response.end(head + text);
    };
    switch (fault?.kind) {
      case undefined:
        send(reply());
        return;
      case 'error':
        send({ status: fault.status, body: errorOf(fault.code) });
        return;
      case 'lost':
        if (fault.isApplied) reply();
        request.socket.destroy();
        return;
      case 'hang':
        if (fault.isApplied) reply();
        return;
      default:
        throw new Error('This fault is not known.');
    }
  };

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/v20180820/')) {
      control(request, response).catch(() => request.socket.destroy());
      return;
    }
    if (/\?lifecycle=?$/.test(path)) {
      lifecycle(request, response).catch(() => request.socket.destroy());
      return;
    }
    const onward = ask({
      host: hostname,
      port,
      method: request.method,
      path,
      headers: request.rawHeaders,
      setDefaultHeaders: false,
    });
    onward.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.rawHeaders);
      reply.pipe(response);
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  });

  const lifecycle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bucket = decodeURIComponent((request.url ?? '').split(/[/?]/)[1] ?? '');
    const body = await textOf(request);
    const kept = lifecycles.get(bucket);
    if (request.method === 'PUT') lifecycles.set(bucket, body);
    const isAbsent = request.method === 'GET' && kept === undefined;
    response.writeHead(isAbsent ? 404 : 200, { 'content-type': 'application/xml' });
    const absent = '<Error><Code>NoSuchLifecycleConfiguration</Code><Message>None.</Message></Error>';
    response.end(request.method === 'GET' ? (kept ?? head + absent) : '');
  };

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const service: ControlService = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    jobs,
    lifecycles,
    script: [],
    made: async () => await firstMade.promise,
    fail: (operation, ...next) => void faults.set(operation, [...(faults.get(operation) ?? []), ...next]),
    play: (jobId, ...steps) => void played.set(jobId, [...steps]),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return service;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Returns an error document with the rest-xml wrapper, which S3 itself does not use. */
function errorOf(code: string): string {
  return `<ErrorResponse xmlns="${namespace}"><Error><Code>${code}</Code><Message>${code}</Message></Error><RequestId>CONTROL</RequestId></ErrorResponse>`;
}

function operationOf(method: string, path: string): ControlRequest['operation'] {
  if (path === '/v20180820/jobs') return method === 'POST' ? 'CreateJob' : 'ListJobs';
  return path.endsWith('/status') ? 'UpdateJobStatus' : 'DescribeJob';
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Checks the signature, which must cover the account header and name the service `s3`. */
function check(
  request: IncomingMessage,
  { path, query, body }: ControlRequest,
  options: ControlOptions,
): void {
  const header = (name: string): string => String(request.headers[name] ?? '');
  if (header('x-amz-account-id') !== options.accountId) throw new Refusal(403, 'AccessDenied');
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    );
  const [, keyId, region, signed = '', signature] = match ?? [];
  if (keyId !== options.accessKeyId || region !== options.region) throw new Refusal(403, 'AccessDenied');
  const names = signed.split(';');
  if (!names.includes('x-amz-account-id')) throw new Refusal(403, 'AccessDenied');
  const expected = referenceSignature({
    method: request.method ?? '',
    path,
    query,
    headers: Object.fromEntries(names.map((name) => [name, header(name)])),
    payloadHash: header('x-amz-content-sha256'),
    time: header('x-amz-date'),
    region: options.region,
    secretAccessKey: options.secretAccessKey,
  });
  if (signature !== expected) throw new Refusal(403, 'SignatureDoesNotMatch');
  if (request.method === 'POST' && path.endsWith('/jobs') && body === '')
    throw new Refusal(400, 'BadRequestException');
}

interface CreateJobRequest {
  readonly token: string;
  readonly description: string;
  readonly asksFirst: boolean;
}

/** Parses the body. Throws for a body that lacks a required element of the model or has an unknown one. */
function readCreate(body: string): CreateJobRequest {
  const document: unknown = parser.parse(body);
  const root = (document as Record<string, Record<string, unknown> | undefined>)['CreateJobRequest'];
  if (root === undefined || root['@_xmlns'] !== namespace) throw new Refusal(400, 'MalformedXML');
  const known = new Set([
    '@_xmlns',
    'ConfirmationRequired',
    'Operation',
    'Report',
    'ClientRequestToken',
    'Manifest',
    'Description',
    'Priority',
    'RoleArn',
  ]);
  if (Object.keys(root).some((name) => !known.has(name))) throw new Refusal(400, 'MalformedXML');
  for (const name of ['Operation', 'Report', 'ClientRequestToken', 'Manifest', 'Priority', 'RoleArn'])
    if (root[name] === undefined) throw new Refusal(400, 'BadRequestException');
  const token = String(root['ClientRequestToken']);
  const description = typeof root['Description'] === 'string' ? root['Description'] : '';
  if (token.length > 64 || description.length > 256) throw new Refusal(400, 'BadRequestException');
  return { token, description, asksFirst: root['ConfirmationRequired'] === 'true' };
}
