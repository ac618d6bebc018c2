import { assertNever } from '../../../shared/assert-never.ts';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import { testStepIds, type TestStep, type TestStepId } from '../../../shared/models/connection.ts';
import { isLoopback } from '../s3/http/addressing.ts';

type Facts = TestStep['facts'];

/** The result of one request that was signed for the connection's own region. */
export interface TestedResponse {
  /** The error; null on success. */
  readonly error: AppError | null;
  /** The bucket names; empty after an error. */
  readonly buckets: readonly string[];
  /** The local clock minus the service's, in milliseconds; null if unknown. */
  readonly clockDifferenceMs: number | null;
  /** Set if the region was wrong: the region that the service named, and the result of a request there. */
  readonly corrected: { readonly region: string | null; readonly response: TestedResponse } | null;
}

/** The network access of a connection test. `runConnectionTest` defines the order and meaning of the steps. */
export interface TestProbes {
  /** Returns the target of the test. Throws if the settings cannot be used. */
  settings(): Promise<TestTarget>;
  resolve(hostname: string): Promise<readonly string[]>;
  open(hostname: string, port: number): Promise<{ readonly address: string }>;
  handshake(hostname: string, port: number): Promise<Facts>;
  ask(): Promise<TestedResponse>;
  firstPage(bucket: string, prefix: string): Promise<{ readonly entries: number }>;
}

export interface TestTarget {
  /** The host and port to which sockets connect: the service's, or the proxy's if there is one. */
  readonly hostname: string;
  readonly port: number;
  readonly encrypted: boolean;
  readonly proxied: boolean;
  readonly anonymous: boolean;
  readonly region: string | null;
  readonly start: { readonly bucket: string; readonly prefix: string } | null;
}

interface Result {
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly facts?: Facts;
  readonly error?: AppError;
}

/** A clock difference above this is reported. Services refuse requests from 15 minutes on. */
const clockToleranceMs = 60_000;

/** Runs the steps in order and yields the start and end of each. Skips all steps after the first failure. */
export async function* runConnectionTest(
  probes: TestProbes,
  monotonicMs: () => number,
): AsyncGenerator<TestStep, void, void> {
  const run = createRun(probes);
  let failed = false;
  for (const id of testStepIds) {
    if (failed) {
      yield { id, state: 'skipped', facts: {}, error: null, durationMs: null };
      continue;
    }
    yield { id, state: 'running', facts: {}, error: null, durationMs: null };
    const startedMs = monotonicMs();
    const result = await attempt(() => run(id));
    const durationMs = result.state === 'skipped' ? null : monotonicMs() - startedMs;
    yield { id, state: result.state, facts: result.facts ?? {}, error: result.error ?? null, durationMs };
    failed = result.state === 'failed';
  }
}

async function attempt(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (thrown) {
    const error = toAppError(thrown);
    // A cancellation or an internal error is not a result of the test.
    if (error.code === 'cancelled' || error.code === 'internal') throw thrown;
    return { state: 'failed', error };
  }
}

const ok = (facts: Facts = {}): Result => ({ state: 'ok', facts });
const skipped: Result = { state: 'skipped' };

function createRun(probes: TestProbes): (id: TestStepId) => Promise<Result> {
  let target: TestTarget | null = null;
  let testedResponse: TestedResponse | null = null;

  const requireTarget = (): TestTarget => {
    if (target === null) throw new Error('The settings are checked first.');
    return target;
  };
  const ask = async (): Promise<TestedResponse> => (testedResponse ??= await probes.ask());
  /** Returns the response from the corrected region if the connection's own region was wrong. */
  const correctedResponse = async (): Promise<TestedResponse> => {
    const reply = await ask();
    return reply.corrected?.response ?? reply;
  };
  /** Returns the error if it belongs to this step; null otherwise. */
  const errorOfStep = async (id: BlamedStep): Promise<AppError | null> => {
    const { error } = id === 'region-right' ? await ask() : await correctedResponse();
    return error !== null && blamedStep(error) === id ? error : null;
  };

  /** Runs a network probe. Behind a proxy, sockets connect to the proxy, so a failure is the proxy's and not the service's. */
  const probeNetwork = async <T>(probe: () => Promise<T>): Promise<T> => {
    try {
      return await probe();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!requireTarget().proxied || error.code === 'cancelled' || error.code === 'internal') throw thrown;
      throw failure('network', `The proxy cannot be reached: ${error.message}`, {
        retry: error.retry,
        reason: 'proxy-failed',
        cause: thrown,
      });
    }
  };

  return async (id) => {
    switch (id) {
      case 'settings':
        target = await probes.settings();
        return ok();
      case 'name-resolves': {
        const addresses = await probeNetwork(() => probes.resolve(requireTarget().hostname));
        return ok({ address: addresses[0] ?? '' });
      }
      case 'port-answers': {
        const { address } = await probeNetwork(() =>
          probes.open(requireTarget().hostname, requireTarget().port),
        );
        return ok({ address });
      }
      case 'tls-holds': {
        if (!requireTarget().encrypted)
          return isOnThisComputer(requireTarget()) ? skipped : { state: 'warning' };
        // Behind a proxy, only a complete request reaches the service.
        if (!requireTarget().proxied)
          return ok(await probes.handshake(requireTarget().hostname, requireTarget().port));
        const error = await errorOfStep('tls-holds');
        return error === null ? ok() : { state: 'failed', error };
      }
      case 'speaks-s3': {
        const { error } = await ask();
        const blamed = error !== null && ['speaks-s3', 'tls-holds'].includes(blamedStep(error));
        return blamed ? { state: 'failed', error } : ok();
      }
      case 'clock-agrees': {
        const error = await errorOfStep('clock-agrees');
        const facts = clockFacts((await ask()).clockDifferenceMs);
        if (error !== null) return { state: 'failed', error, facts };
        return { state: isOff((await ask()).clockDifferenceMs) ? 'warning' : 'ok', facts };
      }
      case 'key-accepted': {
        if (requireTarget().anonymous) return skipped;
        const error = await errorOfStep('key-accepted');
        return error === null ? ok() : { state: 'failed', error };
      }
      case 'region-right':
        return await regionResult();
      case 'buckets-listed': {
        const { error, buckets } = await correctedResponse();
        if (error === null) return ok({ buckets: buckets.length });
        // An access key that may not list buckets is still usable if the connection has a starting bucket.
        return { state: requireTarget().start !== null && isRefusal(error) ? 'warning' : 'failed', error };
      }
      case 'first-page':
        return await firstPage();
      default:
        return assertNever(id);
    }
  };

  async function regionResult(): Promise<Result> {
    const error = await errorOfStep('region-right');
    const region = requireTarget().region;
    if (error === null) return ok(region === null ? {} : { region });
    const corrected = (await ask()).corrected;
    const facts: Facts = corrected?.region ? { region: corrected.region } : {};
    return { state: corrected === null ? 'failed' : 'warning', facts, error };
  }

  async function firstPage(): Promise<Result> {
    const { start } = requireTarget();
    const bucket = start?.bucket ?? (await correctedResponse()).buckets[0];
    if (bucket === undefined) return skipped;
    try {
      const { entries } = await probes.firstPage(bucket, start?.prefix ?? '');
      return ok({ bucket, entries });
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'cancelled' || error.code === 'internal') throw thrown;
      // Without a starting bucket, the test used the first listed bucket. If that one is denied, the connection may still be
      // usable.
      const isOther = start === null && error.code === 'access-denied';
      return { state: isOther ? 'warning' : 'failed', facts: { bucket }, error };
    }
  }
}

/** Returns true if unencrypted requests do not leave this computer. */
function isOnThisComputer({ hostname, proxied }: TestTarget): boolean {
  return !proxied && isLoopback(hostname);
}

function isOff(differenceMs: number | null): boolean {
  return differenceMs !== null && Math.abs(differenceMs) >= clockToleranceMs;
}

function clockFacts(differenceMs: number | null): Facts {
  return isOff(differenceMs) ? { differenceSeconds: Math.round((differenceMs ?? 0) / 1000) } : {};
}

function isRefusal(error: AppError): boolean {
  return error.code === 'access-denied' || error.code === 'unsupported' || error.code === 'not-found';
}

type BlamedStep =
  'tls-holds' | 'speaks-s3' | 'clock-agrees' | 'key-accepted' | 'region-right' | 'buckets-listed';

/** The reasons of access-denied that are about the access key itself. All others are about its permissions. */
const aboutTheKey: ReadonlySet<string> = new Set([
  'key-unknown',
  'secret-wrong',
  'secret-missing',
  'token-invalid',
  'account-problem',
]);

/** Returns the step that a failed request belongs to. */
export function blamedStep(error: AppError): BlamedStep {
  const reason = error.reason ?? '';
  switch (error.code) {
    case 'network':
      return reason.startsWith('tls-') || reason.startsWith('proxy-') ? 'tls-holds' : 'speaks-s3';
    case 'timeout':
    case 'protocol':
      return error.s3?.code ? 'buckets-listed' : 'speaks-s3';
    case 'clock-skew':
      return 'clock-agrees';
    case 'auth-expired':
      return 'key-accepted';
    case 'access-denied':
      return aboutTheKey.has(reason) ? 'key-accepted' : 'buckets-listed';
    case 'invalid-argument':
      if (reason === 'region-mismatch') return 'region-right';
      // Without a response, the profile has no usable credentials.
      return error.s3 === undefined ? 'key-accepted' : 'buckets-listed';
    case 'server':
    case 'rate-limited':
      // An S3 error code proves that the service speaks S3, even if it fails.
      return error.s3?.code ? 'buckets-listed' : 'speaks-s3';
    case 'cancelled':
    case 'unsupported':
    case 'not-found':
    case 'conflict':
    case 'upload-gone':
    case 'parts-rejected':
    case 'storage':
    case 'damaged':
    case 'disconnected':
    case 'internal':
      return 'buckets-listed';
    default:
      return assertNever(error.code);
  }
}
