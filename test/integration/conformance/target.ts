import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { createS3Client } from '../../../electron/core/s3/client.ts';
import { encodeQuery } from '../../../electron/core/s3/model/encode.ts';
import { sha256Hex, signHeaders } from '../../../electron/core/s3/http/sign.ts';
import type { EndpointConfig } from '../../../electron/core/s3/model/connection-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { AppFailure, type AppError } from '../../../shared/errors.ts';
import { realClock, silentLogger } from '../../support/servers/s3-client.ts';

/** The service under test, as described by environment variables. */
export interface Target {
  readonly name: string;
  readonly endpoint: string;
  /** The endpoint for virtual-host addressing; null if the service does not support it. */
  readonly virtualHostEndpoint: string | null;
  /** True if the service must follow the specification exactly. Others may differ in the details that the suite records. */
  readonly strict: boolean;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export function targetFromEnvironment(env: NodeJS.ProcessEnv): Target | null {
  const endpoint = env['S3_ENDPOINT'];
  const accessKeyId = env['S3_ACCESS_KEY'];
  const secretAccessKey = env['S3_SECRET_KEY'];
  if (!endpoint || !accessKeyId || !secretAccessKey) return null;
  return {
    name: env['CONFORMANCE_NAME'] ?? endpoint,
    endpoint,
    virtualHostEndpoint: env['S3_VHOST_ENDPOINT'] || null,
    strict: env['CONFORMANCE_STRICT'] === '1',
    region: env['S3_REGION'] ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
  };
}

export function connect(target: Target, config: Partial<EndpointConfig> = {}, clockAheadMs = 0): S3Client {
  const clock = realClock(clockAheadMs);
  return createS3Client(
    {
      endpoint: target.endpoint,
      region: target.region,
      addressing: 'path',
      credentials: () => Promise.resolve(target),
      caPem: null,
      proxyUrl: null,
      provider: 'custom',
      ...config,
    },
    { clock, random: { fraction: Math.random, id: randomUUID }, logger: silentLogger },
  );
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a signed request without the client, to see the service's raw response. `clockAheadMs` signs for another time. */
export async function raw(
  target: Target,
  ask: {
    readonly method?: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly region?: string;
    readonly secretAccessKey?: string;
    readonly accessKeyId?: string;
    readonly clockAheadMs?: number;
  },
): Promise<RawResponse> {
  const { host } = new URL(target.endpoint);
  const body = Buffer.from(ask.body ?? '');
  const query = ask.query ?? {};
  const headers = signHeaders(
    {
      method: ask.method ?? 'GET',
      target: { origin: target.endpoint, host, path: ask.path },
      query,
      headers: { ...ask.headers },
    },
    sha256Hex(body),
    {
      credentials: {
        accessKeyId: ask.accessKeyId ?? target.accessKeyId,
        secretAccessKey: ask.secretAccessKey ?? target.secretAccessKey,
      },
      region: ask.region ?? target.region,
      nowMs: Date.now() + (ask.clockAheadMs ?? 0),
    },
  );
  const queryText = encodeQuery(query);
  const reply = await request(`${target.endpoint}${ask.path}${queryText === '' ? '' : `?${queryText}`}`, {
    method: (ask.method ?? 'GET') as 'GET',
    headers,
    ...(body.byteLength > 0 ? { body } : {}),
  });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

/** Formats an error as the service's status and code, or as Cooper's code and reason without a response. */
export function inWords(error: AppError): string {
  return error.s3
    ? `${error.s3.status} ${error.s3.code ?? '(no code)'}`
    : `${error.code}/${error.reason ?? ''}`;
}

export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'success';
  } catch (thrown) {
    if (thrown instanceof AppFailure) return inWords(thrown.error);
    throw thrown;
  }
}
