import { protocolFailure, responseFailure } from '../model/s3-errors.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import { areSameKeys, type Credentials, type EndpointConfig } from '../model/connection-types.ts';
import type { HttpResponse } from './http-response.ts';
import { redirectionOf, type BucketPlace } from './regions.ts';
import type { ExecutorDeps, S3Operation } from './s3-operation.ts';
import { AppFailure, type S3Error } from '../../../../shared/errors.ts';
import type { Subject } from '../model/service-codes.ts';
import { parseRetryAfter } from './retry.ts';
import { quotableText } from '../model/redact.ts';
import { readErrorResponse, regionIn, type ErrorResponse } from '../xml/error-response.ts';
import { parseXml } from '../xml/parse.ts';

const maxErrorBytes = 256 * 1024;

/** The content of an error response. */
interface ServiceRefusal {
  /** The parsed <Error>; null if the response has none, as for HEAD and from proxies. */
  readonly error: ErrorResponse | null;
  /** A body other than an <Error>. It may be long and contain secrets, so it must be redacted and shortened. */
  readonly foreignText: string | null;
  /** True if the body ended early or its <Error> is incomplete. */
  readonly isCut: boolean;
}

const silent: ServiceRefusal = { error: null, foreignText: null, isCut: false };

/** Reads the body of an error response in any format. */
export async function readRefusal(reply: HttpResponse): Promise<ServiceRefusal> {
  let bytes: Uint8Array;
  try {
    bytes = await reply.bytes(maxErrorBytes);
  } catch (thrown) {
    // If the body is too large, only the status is used.
    return { ...silent, isCut: !(thrown instanceof AppFailure) };
  }
  if (bytes.byteLength === 0) return silent;
  try {
    const error = readErrorResponse(parseXml(bytes));
    if (error !== null) return { ...silent, error };
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    if (thrown.error.reason === 'cut-short' && beginsAsError(bytes)) return { ...silent, isCut: true };
  }
  return { ...silent, foreignText: quotableText(bytes) };
}

function beginsAsError(bytes: Uint8Array): boolean {
  return /^\s*(?:<\?xml[^<>]*\?>\s*)?<Error[\s>]/.test(quotableText(bytes));
}

export function refusalFailure(
  operation: S3Operation,
  reply: HttpResponse,
  refusal: ServiceRefusal,
  about: { readonly anonymous: boolean; readonly nowMs: number },
): AppFailure {
  const { error, foreignText } = refusal;
  if (refusal.isCut && reply.status < 500) return cutFailure(operation, reply);
  return responseFailure({
    status: reply.status,
    code: error?.code ?? null,
    message: error?.message ?? null,
    requestId: error?.requestId ?? reply.requestId,
    retryAfterMs: parseRetryAfter(reply.header('retry-after') ?? undefined, about.nowMs),
    effect: operation.effect,
    about: subjectOf(operation),
    anonymous: about.anonymous,
    foreignText: operation.method === 'HEAD' ? null : foreignText,
    region: error === null ? null : regionIn(error),
    maxSizeBytes: error?.maxSizeBytes ?? null,
  });
}

/** Returns the error for a body that ended early. It allows a retry, because the lost error code might have allowed one. */
function cutFailure({ effect }: S3Operation, reply: HttpResponse): AppFailure {
  return protocolFailure(
    'cut-short',
    `The service answered ${reply.status}, and the text of its error was truncated.`,
    { retry: 'backoff', outcome: effect === 'write' ? 'unknown' : 'not-applied', s3: s3ErrorOf(reply, null) },
  );
}

export function subjectOf(operation: S3Operation): Subject {
  if (operation.aboutUpload) return 'upload';
  if (operation.key !== undefined) return 'object';
  return operation.bucket === undefined ? 'service' : 'bucket';
}

function s3ErrorOf(reply: HttpResponse, refusal: ErrorResponse | null): S3Error {
  return {
    status: reply.status,
    code: refusal?.code ?? null,
    message: refusal?.message ?? null,
    requestId: refusal?.requestId ?? reply.requestId,
  };
}

/** A refused request, with the values used to sign it. */
interface Refused {
  readonly operation: S3Operation;
  readonly answer: HttpResponse;
  readonly refusal: ServiceRefusal;
  readonly used: BucketPlace;
  readonly credentials: Credentials | null;
  readonly signedAtMs: number;
}

interface CorrectionDeps {
  readonly config: EndpointConfig;
  readonly deps: Pick<ExecutorDeps, 'clock' | 'clockOffset'>;
  readonly quirks: Quirks;
  /** The region and host of each bucket, which are corrected here. */
  readonly places: Map<string, BucketPlace>;
}

/** Corrects the credentials, the clock offset and the region of a request after refusals, each at most once. */
export class Corrections {
  readonly #of: CorrectionDeps;
  readonly #made = { region: false, clock: false, credentials: false };

  constructor(of: CorrectionDeps) {
    this.#of = of;
  }

  /** Allows another correction of the region, because the last redirect failed. */
  mayLookForRegion(): void {
    this.#made.region = false;
  }

  /**
   * Corrects the values that caused a refusal. Returns true if the request should be signed and sent again. Throws
   * `AppError('protocol')` for a redirect to a host of another provider.
   */
  async putRight({ operation, answer, refusal, used, credentials, signedAtMs }: Refused): Promise<boolean> {
    const { config, quirks, places } = this.#of;
    const made = this.#made;
    const code = refusal.error?.code ?? null;
    if (!made.credentials && credentials && config.credentials && isExpired(code)) {
      made.credentials = true;
      const current = await config.credentials({ refresh: false });
      // Another request may have renewed them since this one was signed.
      if (areSameKeys(current, credentials)) await config.credentials({ refresh: true });
      return true;
    }
    if (!made.clock && credentials && this.#learnClock(answer, code, signedAtMs)) {
      made.clock = true;
      return true;
    }
    if (made.region || operation.region !== undefined || operation.control !== undefined) return false;
    const redirection = redirectionOf({
      status: answer.status,
      headers: answer.headers,
      error: refusal.error,
      bucket: operation.bucket ?? null,
      used,
      quirks,
    });
    if (redirection.kind === 'none') return false;
    if (redirection.kind === 'refuse') {
      throw protocolFailure(
        'redirect-refused',
        `The service redirects to ${redirection.host}. The keys were not sent there; if you trust this host, make it the endpoint of the connection.`,
        { host: redirection.host, s3: s3ErrorOf(answer, refusal.error) },
      );
    }
    made.region = true;
    places.set(operation.bucket ?? '', redirection.place);
    return true;
  }

  /**
   * Sets the clock offset from the response's Date header (aws-sdk-js-v3#8005). A response to HEAD has no error code, so a 403
   * counts if the clocks differ by over five minutes.
   */
  #learnClock(reply: HttpResponse, code: string | null, signedAtMs: number): boolean {
    const { clock, clockOffset } = this.#of.deps;
    const serverMs = Date.parse(reply.header('date') ?? '');
    if (Number.isNaN(serverMs)) return false;
    const differenceMs = Math.abs(serverMs - signedAtMs);
    const skewed =
      code === 'RequestTimeTooSkewed' || (code === null && reply.status === 403 && differenceMs > 5 * 60_000);
    if (!skewed || differenceMs < 2_000) return false;
    clockOffset.offsetMs = serverMs - clock.nowMs();
    return true;
  }
}

function isExpired(code: string | null): boolean {
  return code === 'ExpiredToken' || code === 'ExpiredTokenException' || code === 'TokenRefreshRequired';
}
