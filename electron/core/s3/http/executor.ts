import type { ExecutorDeps, S3Operation } from './s3-operation.ts';
import { AppFailure, failure } from '../../../../shared/errors.ts';
import {
  carriesKey,
  createKeyFinder,
  keyWantsTls,
  mayCarryKey,
  type KeyFinder,
} from './customer-key-headers.ts';
import { parseEndpointOrigin, type Target } from './addressing.ts';
import { HttpResponse } from './http-response.ts';
import { encodeQuery } from '../model/encode.ts';
import { networkFailure } from '../model/s3-errors.ts';
import { OptionalParts } from './optional-parts.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import { quirksFor } from '../../../../shared/providers/providers.ts';
import { readRefusal, refusalFailure, subjectOf, Corrections } from './corrections.ts';
import { originFor, RequestTargets, type BucketPlace } from './regions.ts';
import { openBody, type OpenBody } from './request-body.ts';
import { policyFor, runWithRetries } from './retry.ts';
import { quoteWithout } from '../model/redact.ts';
import { ChecksumMemory, memoryRefusals, ServiceMemory } from '../model/service-memory.ts';
import { PartLimits } from '../model/part-limits.ts';
import { RequestPace } from '../model/request-pace.ts';
import { RunningRequests, beginReport, cleanFailure, secretsOf } from './request-report.ts';
import { signHeaders } from './sign.ts';
import { ordinaryTimeouts } from './timeouts.ts';
import type { Transport } from './transport.ts';
import type { EndpointConfig } from '../model/connection-types.ts';
import type { RequestOptions } from '../model/request-types.ts';

export interface Executor {
  execute<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    consume: (reply: HttpResponse) => Promise<T>,
  ): Promise<T>;
  /** Sends a change. The content of its response does not matter, unless it is an error. */
  apply(operation: S3Operation, options: RequestOptions | undefined): Promise<void>;
  /** Returns the region and host of a bucket, as far as they are known. */
  placeOf(bucket: string | undefined): BucketPlace;
  targetFor(bucket: string | undefined, key: string | undefined): Target;
  readonly config: EndpointConfig;
  readonly quirks: Quirks;
  readonly keys: KeyFinder;
  /** Remembers which optional headers, parameters and requests the service accepts. */
  readonly memory: ServiceMemory;
  /** The part limits learned from the service's responses. */
  readonly partLimits: PartLimits;
  /** Remembers which checksums the service checks. */
  readonly checksums: ChecksumMemory;
  /** For each bucket, the encryption headers without which writes were denied. */
  readonly bucketEncryption: Map<string, Readonly<Record<string, string>>>;
  readonly deps: ExecutorDeps;
  close(): Promise<void>;
}

/** The state that all sends of one request share. */
interface Sending {
  readonly signal: AbortSignal;
  readonly corrections: Corrections;
  readonly parts: OptionalParts;
  readonly sendNumber: number;
  readonly freshSocket: boolean;
}

/** For larger request bodies, the response time depends on bandwidth and does not show latency. */
const latencyTellingBytes = 128 * 1024;

/**
 * Creates the executor. It signs and sends requests, corrects and retries them if possible, and logs every send. Throws
 * `AppError('invalid-argument')` if the endpoint cannot be used.
 */
export function createExecutor(config: EndpointConfig, deps: ExecutorDeps, transport: Transport): Executor {
  const origin = parseEndpointOrigin(config.endpoint);
  const quirks = quirksFor(config.provider, origin.hostname);
  const running = new RunningRequests();
  const refusals = deps.refusals ?? memoryRefusals();
  const memory = new ServiceMemory(deps.clock, refusals);
  const targets = new RequestTargets(config, { origin, quirks, memory });
  const { places } = targets;
  const pace = deps.pace ?? new RequestPace();
  const partLimits = new PartLimits(deps.clock, refusals);
  const checksums = new ChecksumMemory(quirks.checksum, memory);

  async function execute<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    consume: (reply: HttpResponse) => Promise<T>,
  ): Promise<T> {
    const send = async (): Promise<T> =>
      await tryIt(operation, options, running.signalFor(options?.signal), consume);
    return operation.part === undefined ? await send() : await partLimits.learnFrom(operation.part, send);
  }

  async function tryIt<T>(
    operation: S3Operation,
    options: RequestOptions | undefined,
    signal: AbortSignal,
    consume: (reply: HttpResponse) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw failure('cancelled', 'The request was cancelled.');
    const corrections = new Corrections({ config, deps, quirks, places });
    const parts = new OptionalParts(memory, operation);
    const policy = policyFor(deps.policy, options);
    let sent = 0;
    return await runWithRetries(
      {
        policy,
        repeatable: operation.repeatable,
        clock: deps.clock,
        random: deps.random,
        signal,
        onRetry: (error, delayMs, triesMade) =>
          deps.logger.debug('Retrying a request', {
            operation: operation.name,
            triesMade,
            delayMs,
            error: `${error.code}/${error.reason ?? ''}`,
          }),
      },
      async (tryNumber) => {
        parts.beforeTry(policy.maxTries);
        for (;;) {
          sent += 1;
          const about = { signal, corrections, parts, sendNumber: sent, freshSocket: tryNumber > 1 };
          const result = await sendOnce(operation, about, consume);
          if (result !== 'again') return result.value;
        }
      },
    );
  }

  async function sendOnce<T>(
    operation: S3Operation,
    { signal, corrections, parts, sendNumber, freshSocket }: Sending,
    consume: (reply: HttpResponse) => Promise<T>,
  ): Promise<{ readonly value: T } | 'again'> {
    const credentials = config.credentials ? await config.credentials({ refresh: false }) : null;
    const operationRegion = operation.control?.region ?? operation.region;
    const used = operationRegion
      ? { region: operationRegion, origin: originFor(operationRegion, origin, quirks) }
      : targets.placeOf(operation.bucket);
    // Checked for each send, because a redirect may lead to plain HTTP.
    if (carriesKey(operation.headers ?? {}) && !mayCarryKey(used.origin, config.proxyUrl))
      throw keyWantsTls();
    const target = targets.of(operation, used.origin);
    const body = await openBody(operation.body ?? null, used.origin.protocol === 'https:');
    const { headers: plain, query } = parts.fieldsFor({
      headers: requestHeaders(operation, body, config),
      query: operation.query ?? {},
    });
    const queryText = encodeQuery(query);
    const path = queryText === '' ? target.path : `${target.path}?${queryText}`;
    const signedAtMs = deps.clock.nowMs() + deps.clockOffset.offsetMs;
    const report = beginReport(deps, operation, {
      host: target.host,
      path,
      requestBytes: body.sizeBytes,
      tryNumber: sendNumber,
    });

    const secrets = secretsOf(credentials, operation.headers);
    let answer: HttpResponse | null = null;
    let isInFlight = false;
    try {
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
      answer = new HttpResponse(response, {
        effect: operation.effect,
        subject: subjectOf(operation),
        quote: quoteWithout(secrets),
      });
      if (answer.status >= 200 && answer.status < 300) {
        const value = await consume(answer);
        parts.succeeded();
        checksums.learn(operation.method === 'PUT' ? plain : {}, answer.headers);
        report(answer, null);
        return { value };
      }
      const refusal = await readRefusal(answer);
      const isPutRight = await corrections.putRight({
        operation,
        answer,
        refusal,
        used,
        credentials,
        signedAtMs,
      });
      const thrown = refusalFailure(operation, answer, refusal, {
        anonymous: credentials === null,
        nowMs: deps.clock.nowMs() + deps.clockOffset.offsetMs,
      });
      const { bucket } = operation;
      const isFixed =
        isPutRight || targets.movedToHost(thrown.error, target.host, { origin: used.origin, bucket });
      const next = isFixed ? 'again' : parts.refused(thrown.error);
      if (next === 'again') {
        report(answer, thrown.error);
        return 'again';
      }
      throw next ?? thrown;
    } catch (thrown) {
      answer?.discard();
      if (used === places.get(operation.bucket ?? '') && !signal.aborted && leadsNowhere(thrown)) {
        // The next request goes to the endpoint again, which may redirect it to a better host.
        places.delete(operation.bucket ?? '');
        corrections.mayLookForRegion();
      }
      const cleaned = thrown instanceof AppFailure ? cleanFailure(thrown, secrets) : thrown;
      const clean = cleanFailure(
        isVerdict(cleaned)
          ? cleaned
          : networkFailure({
              thrown: cleaned,
              effect: operation.effect,
              mayHaveArrived: answer !== null || body.allSent(),
              aborted: signal.aborted,
            }),
        secrets,
      );
      report(answer, clean.error);
      throw clean;
    } finally {
      if (isInFlight) pace.ended();
      body.close();
    }
  }

  return {
    execute,
    apply: async (operation, options) =>
      await execute(operation, options, async (response) => await response.done()),
    placeOf: (bucket) => targets.placeOf(bucket),
    targetFor: (bucket, key) => targets.at(targets.placeOf(bucket).origin, bucket, key),
    config,
    quirks,
    memory,
    partLimits,
    checksums,
    bucketEncryption: new Map(),
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
    // XML must not be compressed. An object's content is requested in its stored form, so GetObject names no coding.
    ...(operation.name === 'GetObject' ? {} : { 'accept-encoding': 'identity' }),
    ...operation.headers,
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/ObjectsinRequesterPaysBuckets.html
    ...(config.requesterPays === true && operation.control === undefined
      ? { 'x-amz-request-payer': 'requester' }
      : {}),
    ...(hasBody ? { 'content-length': String(body.sizeBytes) } : {}),
  };
}

/** Returns true if a redirect led to no usable service: no response, a response not from S3, or another redirect. */
function leadsNowhere(thrown: unknown): boolean {
  return !isVerdict(thrown) || thrown.error.reason === 'redirect-refused';
}

/** Returns true for an error that the service reported, or expired credentials. */
function isVerdict(thrown: unknown): thrown is AppFailure {
  return (
    thrown instanceof AppFailure && (thrown.error.s3 !== undefined || thrown.error.code === 'auth-expired')
  );
}
