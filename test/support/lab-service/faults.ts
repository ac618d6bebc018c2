import type { OperationResponse } from '../../../electron/service/context.ts';
import type { OperationRequest } from '../../../electron/service/interceptor.ts';
import type { Operation } from '../../../electron/service/find-operation.ts';

/** A fault to inject. With `apply`, the operation is carried out anyway, and only its response is affected. */
export type FaultAction =
  /** Resets the connection without a response. */
  | { readonly kind: 'reset'; readonly apply: boolean }
  /** Resets the connection once this many bytes of the request's body have arrived. */
  | { readonly kind: 'cut-request'; readonly bytes: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
      readonly apply?: boolean;
    }
  /** Responds 200 with an `<Error>` body, optionally after white space. */
  | {
      readonly kind: 'ok-with-error';
      readonly code: string;
      readonly message?: string;
      readonly whitespaceBytes?: number;
      readonly whitespaceMs?: number;
      readonly apply?: boolean;
    }
  /** Sends white space for `ms`, then the response. */
  | { readonly kind: 'whitespace'; readonly bytes: number; readonly ms: number }
  /**
   * Carries out the operation, but ends the response after this many bytes by a reset, or with `clean` as if it were complete.
   */
  | { readonly kind: 'cut-answer'; readonly bytes: number; readonly clean?: boolean }
  /** Carries out the operation, and sends a changed response. */
  | {
      readonly kind: 'change-answer';
      readonly change: (made: OperationResponse) => OperationResponse | Promise<OperationResponse>;
    }
  /** Sends the whole object decompressed, chunked and with a weak ETag, as services that decompress objects do. */
  | { readonly kind: 'decompressed' }
  | { readonly kind: 'ok-empty'; readonly apply: boolean }
  | { readonly kind: 'ok-html'; readonly apply: boolean }
  /** Waits before or after the operation. */
  | { readonly kind: 'delay'; readonly ms: number; readonly when?: 'before' | 'after' }
  /** Waits for `until` before the operation. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /** Never responds and keeps the connection open. */
  | { readonly kind: 'hang'; readonly apply: boolean }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  | { readonly kind: 'token-expired' }
  /** Shifts the service's clock for this request. */
  | { readonly kind: 'clock-skew'; readonly ms: number };

export interface FaultRule<Action = FaultAction, Named extends string = Operation> {
  readonly operation?: Named | readonly Named[];
  readonly method?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly partNumber?: number;
  /** A further condition, for what the fields above cannot express. */
  readonly when?: (request: OperationRequest<Named>) => boolean;
  /** The probability, 0 to 1, that the rule fires each time it is due. The default is 1. */
  readonly chance?: number;
  /** The first matching request for which the rule is due, counted from 1. The default is 1. */
  readonly nth?: number;
  /** How often the rule fires. The default is 1; Infinity means always. */
  readonly times?: number;
  readonly action: Action;
}

export interface FaultHandle {
  /** The number of requests that matched, whether or not the fault fired. */
  readonly seen: number;
  readonly fired: number;
  remove(): void;
}

/** A request to the service, with the fault that was injected into it. */
export interface JournalEntry<
  Action extends Kind = FaultAction,
  Named extends string = Operation,
> extends OperationRequest<Named> {
  /** The fault that fired, or null. */
  readonly fault: Action['kind'] | null;
}

interface Kind {
  readonly kind: string;
}

interface Entry<Action, Named extends string> {
  readonly rule: FaultRule<Action, Named>;
  seen: number;
  fired: number;
}

/** Decides which requests get a fault, by rules that tests add, and counts them. The first rule that fires wins. */
export class Faults<Action extends Kind = FaultAction, Named extends string = Operation> {
  #entries: Entry<Action, Named>[] = [];
  #journal: JournalEntry<Action, Named>[] = [];
  readonly #journalLength: number;
  readonly #fraction: () => number;
  /** A delay of every response, in milliseconds. */
  latencyMs = 0;
  /** The number of requests that hang because of a fault and were not aborted by their client. */
  hanging = 0;
  /** An offset added to the service's clock, in milliseconds. */
  clockOffsetMs = 0;

  /** `fraction` returns a uniform number in [0, 1), for rules that fire by chance. */
  constructor(options: { readonly journalLength?: number; readonly fraction?: () => number } = {}) {
    this.#journalLength = options.journalLength ?? 20_000;
    this.#fraction = options.fraction ?? Math.random;
  }

  add(rule: FaultRule<Action, Named>): FaultHandle {
    const entry: Entry<Action, Named> = { rule, seen: 0, fired: 0 };
    this.#entries.push(entry);
    return {
      get seen() {
        return entry.seen;
      },
      get fired() {
        return entry.fired;
      },
      remove: () => {
        this.#entries = this.#entries.filter((other) => other !== entry);
      },
    };
  }

  /** Removes all rules, and resets latency, clock offset and journal. */
  clear(): void {
    this.#entries = [];
    this.#journal = [];
    this.latencyMs = 0;
    this.clockOffsetMs = 0;
  }

  /** The requests so far, oldest first. Only the latest requests are kept if there are many. */
  get journal(): readonly JournalEntry<Action, Named>[] {
    return this.#journal;
  }

  count(operation: Named): number {
    return this.#journal.filter((entry) => entry.operation === operation).length;
  }

  /** Returns the fault for a request, or null. Must be called once for each request. */
  take(request: OperationRequest<Named>): Action | null {
    let action: Action | null = null;
    for (const entry of this.#entries) {
      if (!matches(entry.rule, request)) continue;
      entry.seen++;
      const isDue = entry.seen >= (entry.rule.nth ?? 1) && entry.fired < (entry.rule.times ?? 1);
      if (!isDue || action !== null) continue;
      if (entry.rule.chance !== undefined && this.#fraction() >= entry.rule.chance) continue;
      entry.fired++;
      action = entry.rule.action;
    }
    this.#journal.push({ ...request, fault: action?.kind ?? null });
    // Truncates the list to half, so that truncation is rarely needed.
    if (this.#journal.length > 2 * this.#journalLength)
      this.#journal = this.#journal.slice(-this.#journalLength);
    return action;
  }
}

function matches<Action, Named extends string>(
  rule: FaultRule<Action, Named>,
  request: OperationRequest<Named>,
): boolean {
  const { operation } = rule;
  const isOperation =
    operation === undefined ||
    (typeof operation === 'string' ? operation === request.operation : operation.includes(request.operation));
  return (
    isOperation &&
    (rule.method === undefined || rule.method === request.method) &&
    (rule.bucket === undefined || rule.bucket === request.bucket) &&
    (rule.key === undefined || rule.key === request.key) &&
    (rule.partNumber === undefined || rule.partNumber === request.partNumber) &&
    (rule.when === undefined || rule.when(request))
  );
}
