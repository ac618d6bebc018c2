import type { ExecutorDeps, S3Operation } from './s3-operation.ts';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import {
  carriesKey,
  createKeyFinder,
  customerKeyHeader,
  keyWantsTls,
  mayCarryKey,
  type KeyFinder,
} from './customer-key-headers.ts';
import {
  controlTargetOf,
  parseOrigin,
  targetOf,
  usesVirtualHost,
  type Origin,
  type Target,
} from './addressing.ts';
import { Answer } from './answer.ts';
import { encodeQuery } from '../model/encode.ts';
import { networkFailure, protocolFailure } from '../model/s3-errors.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import { quirksFor } from '../../../../shared/providers/providers.ts';
import { readRefusal, refusalFailure, s3ErrorOf, subjectOf, type ServiceRefusal } from './refusal.ts';
import { initialRegion, originFor, redirectionOf, type BucketPlace } from './regions.ts';
import { beginReport, cleanFailure } from './request-report.ts';
import { openBody, type OpenBody } from './request-body.ts';
import { policyFor, runWithRetries } from './retry.ts';
import { RequestPace } from '../model/request-pace.ts';
import { RunningRequests } from './running-requests.ts';
import { signHeaders } from './sign.ts';
import { ordinaryTimeouts } from './timeouts.ts';
import type { Transport } from './transport.ts';
import type { Credentials, EndpointConfig } from '../model/connection-types.ts';
import type { RequestOptions } from '../model/request-types.ts';

export interface Executor {
  execute<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    consume: (answer: Answer) => Promise<T>,
  ): Promise<T>;
  /** Where a bucket is, as far as it is known now. */
  placeOf(bucket: string | undefined): BucketPlace;
  targetFor(bucket: string | undefined, key: string | undefined): Target;
  readonly config: EndpointConfig;
  readonly quirks: Quirks;
  readonly keys: KeyFinder;
  readonly deps: ExecutorDeps;
  close(): Promise<void>;
}

/** What may be put right and signed again, once each. */
interface Corrections {
  region: boolean;
  clock: boolean;
  credentials: boolean;
}

/** A larger body is sent for longer than its answer takes: its time tells the bandwidth, not the latency. */
const latencyTellingBytes = 128 * 1024;

/** Signs, sends, puts right what can be put right, repeats what may be repeated, and reports every try. */
export function createExecutor(config: EndpointConfig, deps: ExecutorDeps, transport: Transport): Executor {
  const origin = parseOrigin(config.endpoint);
  const quirks = quirksFor(config.provider, origin.hostname);
  const places = new Map<string, BucketPlace>();
  const home: BucketPlace = { region: initialRegion(config.region, origin, quirks), origin };
  const running = new RunningRequests();
  const pace = deps.pace ?? new RequestPace();

  const placeOf = (bucket: string | undefined): BucketPlace => places.get(bucket ?? '') ?? home;
  const targetAt = (at: Origin, bucket: string | undefined, key: string | undefined): Target =>
    targetOf(
      { bucket, key },
      at,
      bucket !== undefined && usesVirtualHost(bucket, at, config.addressing, quirks),
    );

  const targetOfOperation = (operation: S3Operation, at: Origin): Target => {
    if (operation.control === undefined) return targetAt(at, operation.bucket, operation.key);
    const target = controlTargetOf(operation.control, origin, quirks);
    if (target !== null) return target;
    throw failure('unsupported', 'This provider has no S3 Batch Operations.', { reason: 'not-implemented' });
  };

  async function execute<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    consume: (answer: Answer) => Promise<T>,
  ): Promise<T> {
    return await tryIt(operation, options, running.signalFor(options?.signal), consume);
  }

  async function tryIt<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    signal: AbortSignal,
    consume: (answer: Answer) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw failure('cancelled', 'The request was cancelled.');
    const corrections: Corrections = { region: false, clock: false, credentials: false };
    let sent = 0;
    return await runWithRetries(
      {
        policy: policyFor(deps.policy, options),
        repeatable: operation.repeatable,
        clock: deps.clock,
        random: deps.random,
        signal,
        onRetry: (error, delayMs, triesMade) =>
          deps.logger.debug('A request is tried again', {
            operation: operation.name,
            triesMade,
            delayMs,
            error: `${error.code}/${error.reason ?? ''}`,
          }),
      },
      async (tryNumber) => {
        for (;;) {
          sent += 1;
          const result = await sendOnce(operation, signal, corrections, sent, tryNumber > 1, consume);
          if (result !== 'again') return result.value;
        }
      },
    );
  }

  async function sendOnce<T>(
    operation: S3Operation,
    signal: AbortSignal,
    corrections: Corrections,
    sendNumber: number,
    freshSocket: boolean,
    consume: (answer: Answer) => Promise<T>,
  ): Promise<{ readonly value: T } | 'again'> {
    const credentials = config.credentials ? await config.credentials({ refresh: false }) : null;
    const ownRegion = operation.control?.region ?? operation.region;
    const used = ownRegion
      ? { region: ownRegion, origin: originFor(ownRegion, origin, quirks) }
      : placeOf(operation.bucket);
    // A redirect may have led away from TLS, so each request is looked at.
    if (carriesKey(operation.headers ?? {}) && !mayCarryKey(used.origin, config.proxyUrl))
      throw keyWantsTls();
    const target = targetOfOperation(operation, used.origin);
    const query = operation.query ?? {};
    const queryText = encodeQuery(query);
    const path = queryText === '' ? target.path : `${target.path}?${queryText}`;
    const body = await openBody(operation.body ?? null, used.origin.protocol === 'https:');
    const signedAtMs = deps.clock.nowMs() + deps.clockOffset.offsetMs;
    const report = beginReport(deps, operation, {
      host: target.host,
      path,
      requestBytes: body.sizeBytes,
      tryNumber: sendNumber,
    });

    let answer: Answer | null = null;
    let isInFlight = false;
    try {
      const plain = requestHeaders(operation, body, config);
      const headers = credentials
        ? signHeaders({ method: operation.method, target, query, headers: plain }, body.payloadHash, {
            credentials,
            region: used.region,
            nowMs: signedAtMs,
          })
        : { ...plain, host: target.host };
      pace.began();
      isInFlight = true;
      const sentMs = deps.clock.monotonicMs();
      const response = await transport.send({
        origin: target.origin,
        method: operation.method,
        path,
        headers,
        body: body.content,
        timeouts: { ...(operation.timeouts ?? ordinaryTimeouts), ...deps.timeouts },
        signal,
        freshSocket,
      });
      if (response.status === 503 || response.status === 429) pace.refused();
      else if (body.sizeBytes <= latencyTellingBytes)
        pace.answered(operation.name, deps.clock.monotonicMs() - sentMs);
      answer = new Answer(response, {
        effect: operation.effect,
        subject: subjectOf(operation),
      });
      if (answer.status >= 200 && answer.status < 300) {
        const value = await consume(answer);
        report(answer, null);
        return { value };
      }
      const refusal = await readRefusal(answer);
      const again = await putRight({
        operation,
        answer,
        refusal,
        used,
        credentials,
        signedAtMs,
        corrections,
      });
      const thrown = refusalFailure(operation, answer, refusal, {
        anonymous: credentials === null,
        nowMs: deps.clock.nowMs() + deps.clockOffset.offsetMs,
      });
      if (again) {
        report(answer, thrown.error);
        return 'again';
      }
      throw thrown;
    } catch (thrown) {
      answer?.discard();
      if (used === places.get(operation.bucket ?? '') && !signal.aborted && leadsNowhere(thrown)) {
        // The next request asks the endpoint again, which may name a better place.
        places.delete(operation.bucket ?? '');
        corrections.region = false;
      }
      const clean = cleanFailure(
        isVerdict(thrown)
          ? thrown
          : networkFailure({
              thrown,
              effect: operation.effect,
              mayHaveArrived: answer !== null || body.allSent(),
              aborted: signal.aborted,
            }),
        credentials,
        operation.headers?.[customerKeyHeader],
      );
      report(answer, clean.error);
      throw clean;
    } finally {
      if (isInFlight) pace.ended();
      body.close();
    }
  }

  interface Refused {
    readonly operation: S3Operation;
    readonly answer: Answer;
    readonly refusal: ServiceRefusal;
    readonly used: BucketPlace;
    readonly credentials: Credentials | null;
    readonly signedAtMs: number;
    readonly corrections: Corrections;
  }

  /** True when something was learned with which the same request is worth signing once more. */
  async function putRight(refused: Refused): Promise<boolean> {
    const { operation, answer, used, corrections } = refused;
    const refusal = refused.refusal.error;
    const code = refusal?.code ?? null;
    if (!corrections.credentials && refused.credentials && config.credentials && isExpired(code)) {
      corrections.credentials = true;
      await config.credentials({ refresh: true });
      return true;
    }
    if (!corrections.clock && refused.credentials && learnClock(answer, code, refused.signedAtMs)) {
      corrections.clock = true;
      return true;
    }
    if (corrections.region || operation.region !== undefined || operation.control !== undefined) return false;
    const redirection = redirectionOf({
      status: answer.status,
      headers: answer.headers,
      error: refusal,
      bucket: operation.bucket ?? null,
      used,
      quirks,
    });
    if (redirection.kind === 'none') return false;
    if (redirection.kind === 'refuse') {
      throw protocolFailure(
        'redirect-refused',
        `The service asks to speak to ${redirection.host} instead. The keys were not sent there; if that is the right place, make it the connection's endpoint.`,
        { retry: 'after-fix', host: redirection.host, s3: s3ErrorOf(answer, refusal) },
      );
    }
    corrections.region = true;
    places.set(operation.bucket ?? '', redirection.place);
    return true;
  }

  /** One shared offset, from the Date header (aws-sdk-js-v3#8005); a HEAD has no code to tell a skewed clock. */
  function learnClock(answer: Answer, code: string | null, signedAtMs: number): boolean {
    const serverMs = Date.parse(answer.header('date') ?? '');
    if (Number.isNaN(serverMs)) return false;
    const differenceMs = Math.abs(serverMs - signedAtMs);
    const skewed =
      code === 'RequestTimeTooSkewed' ||
      (code === null && answer.status === 403 && differenceMs > 5 * 60_000);
    if (!skewed || differenceMs < 2_000) return false;
    deps.clockOffset.offsetMs = serverMs - deps.clock.nowMs();
    return true;
  }

  return {
    execute,
    placeOf,
    targetFor: (bucket, key) => targetAt(placeOf(bucket).origin, bucket, key),
    config,
    quirks,
    keys: createKeyFinder(config.customerKeys, config.customerKeyNamed),
    deps,
    async close() {
      running.abort();
      await transport.close();
    },
  };
}

function requestHeaders(
  operation: S3Operation,
  body: OpenBody,
  config: Pick<EndpointConfig, 'requesterPays'>,
): Readonly<Record<string, string>> {
  const hasBody = operation.method === 'PUT' || operation.method === 'POST';
  return {
    'user-agent': 'Cooper',
    // XML must come as it is. The bytes of an object are not asked for in another form than before.
    ...(operation.name === 'GetObject' ? {} : { 'accept-encoding': 'identity' }),
    ...operation.headers,
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/ObjectsinRequesterPaysBuckets.html
    ...(config.requesterPays === true && operation.control === undefined
      ? { 'x-amz-request-payer': 'requester' }
      : {}),
    ...(hasBody ? { 'content-length': String(body.sizeBytes) } : {}),
  };
}

function isExpired(code: string | null): boolean {
  return code === 'ExpiredToken' || code === 'ExpiredTokenException' || code === 'TokenRefreshRequired';
}

/** Nobody answered at the place that a redirect had named, it was no S3 service, or it sent on to somebody else. */
function leadsNowhere(thrown: unknown): boolean {
  return !isVerdict(thrown) || thrown.error.reason === 'redirect-refused';
}

/** What the service itself said needs no second opinion. */
function isVerdict(thrown: unknown): thrown is AppFailure {
  return (
    thrown instanceof AppFailure && (thrown.error.s3 !== undefined || thrown.error.code === 'auth-expired')
  );
}
