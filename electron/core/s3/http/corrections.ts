import { protocolFailure } from '../model/s3-errors.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import type { Credentials, EndpointConfig } from '../model/connection-types.ts';
import type { Answer } from './answer.ts';
import { s3ErrorOf, type ServiceRefusal } from './refusal.ts';
import { redirectionOf, type BucketPlace } from './regions.ts';
import type { ExecutorDeps, S3Operation } from './s3-operation.ts';

/** A refused request, with the values used to sign it. */
interface Refused {
  readonly operation: S3Operation;
  readonly answer: Answer;
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
      await config.credentials({ refresh: true });
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
        `The service asks to speak to ${redirection.host} instead. The keys were not sent there; if that is the right place, make it the connection's endpoint.`,
        { retry: 'after-fix', host: redirection.host, s3: s3ErrorOf(answer, refusal.error) },
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
  #learnClock(answer: Answer, code: string | null, signedAtMs: number): boolean {
    const { clock, clockOffset } = this.#of.deps;
    const serverMs = Date.parse(answer.header('date') ?? '');
    if (Number.isNaN(serverMs)) return false;
    const differenceMs = Math.abs(serverMs - signedAtMs);
    const skewed =
      code === 'RequestTimeTooSkewed' ||
      (code === null && answer.status === 403 && differenceMs > 5 * 60_000);
    if (!skewed || differenceMs < 2_000) return false;
    clockOffset.offsetMs = serverMs - clock.nowMs();
    return true;
  }
}

function isExpired(code: string | null): boolean {
  return code === 'ExpiredToken' || code === 'ExpiredTokenException' || code === 'TokenRefreshRequired';
}
