import type { Clock } from '../../ports.ts';
import { checksumOf, type ChecksumAlgorithm, type PartChecksums } from '../../disk/checksums.ts';

/**
 * A refusal by the service: of a feature, of a part that is too large, or of a part number that is too high. Also stores a
 * feature that the service accepts, if requests use it only once that is known.
 */
interface StoredRefusal {
  /** The time of the response, in milliseconds since 1970. */
  readonly atMs: number;
  /** The limit that the response stated; null for a feature. */
  readonly limit: number | null;
  /** True if the service accepts the feature. */
  readonly isAccepted?: boolean | undefined;
}

/** Stores the refusals of one service, so that they are known after a restart. */
export interface RefusalStore {
  /** Returns the refusals that have not expired. */
  get(): Readonly<Record<string, StoredRefusal>>;
  put(name: string, refusal: StoredRefusal): void;
  remove(name: string): void;
}

/** The time after which a refusal expires, because the service may have been upgraded. */
export const refusalLifetimeMs = 7 * 24 * 3_600_000;

/** Returns a store that keeps refusals in memory only. */
export function memoryRefusals(): RefusalStore {
  const refusals: Record<string, StoredRefusal> = {};
  return {
    get: () => refusals,
    put: (name, refusal) => void (refusals[name] = refusal),
    remove: (name) => void delete refusals[name],
  };
}

/** Returns the refusals that have not expired. A time in the future, from a wrong clock, counts as expired. */
export function freshRefusals(
  refusals: Readonly<Record<string, StoredRefusal>>,
  nowMs: number,
): Readonly<Record<string, StoredRefusal>> {
  return Object.fromEntries(
    Object.entries(refusals).filter(([, { atMs }]) => atMs <= nowMs && nowMs - atMs < refusalLifetimeMs),
  );
}

/** The name of an optional header, parameter or request, such as `GetObject x-amz-checksum-mode`. */
export type Feature = string;

/** Returns the name of an optional header or parameter of an operation. */
export function featureOf(operation: string, field: string): Feature {
  return `${operation} ${field}`;
}

export type FeatureVerdict = 'accepted' | 'refused';

/** The time in ms after which a feature is tried again if a server error (5xx) followed it. The error may have another cause. */
const doubtfulMs = 10 * 60_000;

/** The time after which a stored acceptance is stored again, so that it expires a week after the last response that shows it. */
const renewalMs = 24 * 3_600_000;

type MemoryClock = Pick<Clock, 'monotonicMs' | 'nowMs'>;

/**
 * Remembers which optional features the service of a connection accepts. Refusals are stored, so that they are known after a
 * restart.
 */
export class ServiceMemory {
  readonly #clock: MemoryClock;
  readonly #store: RefusalStore;
  readonly #accepted = new Set<Feature>();
  /** The time at which each acceptance was stored. */
  readonly #storedAtMs = new Map<Feature, number>();
  /** The time at which each refusal expires. */
  readonly #refusedUntilMs = new Map<Feature, number>();
  /** The number of consecutive 5xx responses of each operation. */
  readonly #failures = new Map<string, number>();

  constructor(clock: MemoryClock, store: RefusalStore) {
    this.#clock = clock;
    this.#store = store;
    const [nowMs, startMs] = [clock.nowMs(), clock.monotonicMs()];
    for (const [feature, { atMs, limit, isAccepted = false }] of Object.entries(store.get()))
      if (isAccepted) {
        this.#accepted.add(feature);
        this.#storedAtMs.set(feature, atMs);
      } else if (limit === null)
        this.#refusedUntilMs.set(feature, startMs + atMs + refusalLifetimeMs - nowMs);
  }

  /** Returns whether the feature was accepted or refused; null if unknown. */
  verdictOn(feature: Feature): FeatureVerdict | null {
    const untilMs = this.#refusedUntilMs.get(feature);
    if (untilMs !== undefined && this.#clock.monotonicMs() < untilMs) return 'refused';
    return this.#accepted.has(feature) ? 'accepted' : null;
  }

  allows(feature: Feature): boolean {
    return this.verdictOn(feature) !== 'refused';
  }

  accepts(feature: Feature): void {
    this.#accepted.add(feature);
    if (this.#refusedUntilMs.delete(feature)) this.#store.remove(feature);
  }

  /** Records that a feature is accepted, and stores it: requests use the feature only once that is known. */
  acceptsForLong(feature: Feature): void {
    this.accepts(feature);
    const [nowMs, storedAtMs] = [this.#clock.nowMs(), this.#storedAtMs.get(feature)];
    if (storedAtMs !== undefined && storedAtMs <= nowMs && nowMs - storedAtMs < renewalMs) return;
    this.#storedAtMs.set(feature, nowMs);
    this.#store.put(feature, { atMs: nowMs, limit: null, isAccepted: true });
  }

  /**
   * Records that the service refused a feature. `failure` means that it responded with a server error; this is remembered only
   * for a while and not stored.
   */
  refuses(feature: Feature, because: 'refusal' | 'failure' = 'refusal'): void {
    this.#accepted.delete(feature);
    const isKnown = !this.allows(feature);
    const lifetimeMs = because === 'refusal' ? refusalLifetimeMs : doubtfulMs;
    this.#refusedUntilMs.set(feature, this.#clock.monotonicMs() + lifetimeMs);
    if (because === 'refusal' && !isKnown)
      this.#store.put(feature, { atMs: this.#clock.nowMs(), limit: null });
  }

  failed(operation: string): void {
    this.#failures.set(operation, this.failuresOf(operation) + 1);
  }

  succeeded(operation: string): void {
    this.#failures.delete(operation);
  }

  failuresOf(operation: string): number {
    return this.#failures.get(operation) ?? 0;
  }
}

/**
 * The algorithms that Cooper can send, preferred ones first. CRC-64/NVME can also cover an object uploaded in parts as a whole.
 */
const sendable = ['crc64nvme', 'crc32c'] as const satisfies readonly ChecksumAlgorithm[];

export type SentAlgorithm = (typeof sendable)[number];

/** The name of the feature that a response contained the header. */
const responses = 'responses';
/** The name of the feature that the response to a write repeated the header of its request. */
const responsesToWrites = 'responses to writes';

type Headers = Readonly<Record<string, string>>;

/**
 * Remembers, also over restarts, which checksums the service of a connection computes. Since several services refuse requests
 * with a checksum, one is sent only if the provider documents it or a response of the service named one.
 */
export class ChecksumMemory {
  /** True if the provider documents that it verifies checksums, so its responses do not just repeat the request. */
  readonly isTrusted: boolean;
  readonly #documented: SentAlgorithm | null;
  readonly #memory: ServiceMemory;

  constructor(documented: SentAlgorithm | null, memory: ServiceMemory) {
    this.isTrusted = documented !== null;
    this.#documented = documented;
    this.#memory = memory;
  }

  /** The algorithm to send; null if the service is not known to check any. */
  get algorithm(): SentAlgorithm | null {
    const memory = this.#memory;
    const isKnown = (name: SentAlgorithm): boolean =>
      name === this.#documented || memory.verdictOn(featureOf(responses, headerOf(name))) === 'accepted';
    const isAllowed = (name: SentAlgorithm): boolean =>
      ['PutObject', 'UploadPart', responsesToWrites].every((operation) =>
        memory.allows(featureOf(operation, headerOf(name))),
      );
    return sendable.find((name) => isKnown(name) && isAllowed(name)) ?? null;
  }

  /** Returns the checksum to send with this content; empty if none is to be sent. */
  of(bytes: Uint8Array): PartChecksums {
    const { algorithm } = this;
    return algorithm === null ? {} : { [algorithm]: checksumOf(algorithm, bytes) };
  }

  /** The checksum option for creating an upload whose parts carry a checksum; empty if they carry none. */
  get ofUploads(): { readonly checksumAlgorithm?: SentAlgorithm } {
    return this.algorithm === null ? {} : { checksumAlgorithm: this.algorithm };
  }

  /** Learns from a successful response which algorithms it contains, and which ones of the request it ignored. */
  learn(sent: Headers, answered: Headers): void {
    for (const name of sendable) {
      const header = headerOf(name);
      if (answered[header] !== undefined) this.#memory.acceptsForLong(featureOf(responses, header));
      else if (sent[header] !== undefined) this.#memory.refuses(featureOf(responsesToWrites, header));
    }
  }

  /** Returns true if a response may just repeat the request's checksums. A different MD5 then counts more. */
  mayEcho(sent: PartChecksums): boolean {
    return !this.isTrusted && Object.keys(sent).length > 0;
  }
}

function headerOf(name: SentAlgorithm): string {
  return `x-amz-checksum-${name}`;
}
