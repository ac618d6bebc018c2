import { toAppError, type AppError } from '../../../../shared/errors.ts';
import type { Clock } from '../../ports.ts';
import type { RefusalStore } from './service-memory.ts';

const MiB = 1024 * 1024;

/** Returns true if the error is about the size or number of parts, so that another part size can help. */
export function isPartLimit({ reason }: Pick<AppError, 'reason'>): boolean {
  return reason === 'part-too-large' || reason === 'too-many-parts';
}

const limitNames = ['maxParts', 'namedBytes', 'refusedBytes'] as const;
type LimitName = (typeof limitNames)[number];

const storedName = (name: LimitName): string => `parts ${name}`;

/** Remembers the limits for parts that a service's responses revealed. They are stored, so they are known after a restart. */
export class PartLimits {
  maxParts: number | null = null;
  /** The maximum part size in bytes that a response stated; null if none did. */
  namedBytes: number | null = null;
  /** The size in bytes of the smallest part that was refused without a stated limit, as by proxies; null if none was. */
  refusedBytes: number | null = null;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #store: RefusalStore;

  constructor(clock: Pick<Clock, 'nowMs'>, store: RefusalStore) {
    this.#clock = clock;
    this.#store = store;
    const stored = store.get();
    for (const name of limitNames) this[name] = stored[storedName(name)]?.limit ?? null;
  }

  /** Sends a part. If it is refused because of a limit, remembers the limit. */
  async learnFrom<T>(
    part: { readonly partNumber: number; readonly sizeBytes: number },
    send: () => Promise<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (thrown) {
      const { reason, s3 } = toAppError(thrown);
      if (reason === 'too-many-parts')
        this.#learn('maxParts', maxPartsIn(s3?.message) ?? part.partNumber - 1);
      if (reason === 'part-too-large' || reason === 'too-large') {
        const named = s3?.maxSizeBytes ?? null;
        if (named === null) this.#learn('refusedBytes', part.sizeBytes);
        else this.#learn('namedBytes', named);
      }
      throw thrown;
    }
  }

  #learn(name: LimitName, observedLimit: number): void {
    const limit = lower(this[name], observedLimit);
    this[name] = limit;
    this.#store.put(storedName(name), { atMs: this.#clock.nowMs(), limit });
  }

  /**
   * Returns the largest part size to use, in bytes. If a part was refused without a stated limit, that is half its size. Infinity
   * if no limit is known.
   */
  maxPartBytes(minPartBytes: number): number {
    const { refusedBytes: refused, namedBytes: named } = this;
    const half =
      refused === null ? null : Math.max(Math.floor(refused / 2), Math.min(minPartBytes, refused - 1));
    return Math.min(named ?? Number.POSITIVE_INFINITY, half ?? Number.POSITIVE_INFINITY);
  }

  /** Returns a part size within the limits: the wanted size, or else whole MiB if possible; null if no size is within them. */
  fitting(sizeBytes: number, wantedBytes: number, minPartBytes: number): number | null {
    const needed = this.maxParts === null ? 0 : Math.ceil(sizeBytes / this.maxParts);
    const larger = needed <= wantedBytes ? wantedBytes : Math.ceil(needed / MiB) * MiB;
    const maxPartBytes = this.maxPartBytes(minPartBytes);
    if (larger <= maxPartBytes) return larger;
    const least = Math.max(needed, minPartBytes);
    const whole = Math.floor(maxPartBytes / MiB) * MiB;
    // There may be no multiple of a MiB between the lower and the upper limit.
    if (whole >= least) return whole;
    return least <= maxPartBytes ? least : null;
  }
}

function lower(known: number | null, observedLimit: number): number {
  return Math.max(1, Math.min(known ?? Number.POSITIVE_INFINITY, observedLimit));
}

/**
 * Extracts N from "Part number must be an integer between 1 and N, inclusive" (API_UploadPart) or a similar message of Ceph and
 * gateways; null for other messages.
 */
export function maxPartsIn(message: string | null | undefined): number | null {
  const text = message ?? '';
  if (!/part\s?number/iu.test(text)) return null;
  const found =
    /(?:between|from)\s+1\s+(?:and|to)\s+(\d+)|(?:exceeds?|at most|maximum(?: of)?|less than or equal to)\s+(\d+)/iu.exec(
      text,
    );
  const number = Number(found?.[1] ?? found?.[2] ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
