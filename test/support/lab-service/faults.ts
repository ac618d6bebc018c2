import type { Answer } from '../../../electron/service/context.ts';
import type { OperationRequest } from '../../../electron/service/interceptor.ts';
import type { Operation } from '../../../electron/service/find-operation.ts';

/** A fault to inject. `apply`: the operation is carried out all the same, and only its response is spoiled. */
export type FaultAction =
  /** The connection is reset without an answer. */
  | { readonly kind: 'reset'; readonly apply: boolean }
  /** The connection is reset once this many bytes of the request's body have come. */
  | { readonly kind: 'cut-request'; readonly bytes: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
      readonly apply?: boolean;
    }
  /** 200 with an `<Error>` body, behind white space if wanted. */
  | {
      readonly kind: 'ok-with-error';
      readonly code: string;
      readonly message?: string;
      readonly whitespaceBytes?: number;
      readonly whitespaceMs?: number;
      readonly apply?: boolean;
    }
  /** The response follows white space that starts at once and lasts for `ms`. */
  | { readonly kind: 'whitespace'; readonly bytes: number; readonly ms: number }
  /** Handled; the answer ends after this many bytes: by a reset, or cleanly as if that were all. */
  | { readonly kind: 'cut-answer'; readonly bytes: number; readonly clean?: boolean }
  /** Carried out; another answer is sent instead. */
  | { readonly kind: 'change-answer'; readonly change: (made: Answer) => Answer | Promise<Answer> }
  /** The whole object, decompressed and chunked with a weak ETag, as by services that decompress on the way. */
  | { readonly kind: 'decompressed' }
  | { readonly kind: 'ok-empty'; readonly apply: boolean }
  | { readonly kind: 'ok-html'; readonly apply: boolean }
  /** Waits, before or after the operation is carried out. */
  | { readonly kind: 'delay'; readonly ms: number; readonly when?: 'before' | 'after' }
  /** Waits for `until`, and is then carried out. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /** No answer ever comes, and the connection stays open. */
  | { readonly kind: 'hang'; readonly apply: boolean }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  | { readonly kind: 'token-expired' }
  /** The service's clock is off for this request. */
  | { readonly kind: 'clock-skew'; readonly ms: number };

export interface FaultRule<Action = FaultAction, Named extends string = Operation> {
  readonly operation?: Named | readonly Named[];
  readonly method?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly partNumber?: number;
  /** For what the fields above cannot say. */
  readonly when?: (request: OperationRequest<Named>) => boolean;
  /** How likely it fires, 0 to 1, each time that it is due; 1 when absent. */
  readonly chance?: number;
  /** From which matching request on, counted from 1; 1 when absent. */
  readonly nth?: number;
  /** How often it fires; 1 when absent, Infinity for ever. */
  readonly times?: number;
  readonly action: Action;
}

export interface FaultHandle {
  /** Requests that matched, whether or not the fault fired. */
  readonly seen: number;
  readonly fired: number;
  remove(): void;
}

/** One line of what the service was asked. */
export interface JournalEntry<
  Action extends Kind = FaultAction,
  Named extends string = Operation,
> extends OperationRequest<Named> {
  /** The fault that fired; null where none did. */
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

/** The plan of what goes wrong, for tests: exact and countable. At most one rule fires for a request: the first. */
export class Faults<Action extends Kind = FaultAction, Named extends string = Operation> {
  #entries: Entry<Action, Named>[] = [];
  #journal: JournalEntry<Action, Named>[] = [];
  readonly #journalLength: number;
  readonly #fraction: () => number;
  /** Added to every answer. */
  latencyMs = 0;
  /** Requests that hang because of a fault and have not been abandoned by their client. */
  hanging = 0;
  /** Added to the service's clock. */
  clockOffsetMs = 0;

  /** `fraction`: uniform in [0, 1), for rules that fire by chance. */
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

  /** Forgets rules, latency, clock offset and journal. */
  clear(): void {
    this.#entries = [];
    this.#journal = [];
    this.latencyMs = 0;
    this.clockOffsetMs = 0;
  }

  /** The requests so far, oldest first; of many, the latest. */
  get journal(): readonly JournalEntry<Action, Named>[] {
    return this.#journal;
  }

  count(operation: Named): number {
    return this.#journal.filter((entry) => entry.operation === operation).length;
  }

  /** The fault for a request, if one fires now. Called once for each request. */
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
    // Cut seldom, and then by half.
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
