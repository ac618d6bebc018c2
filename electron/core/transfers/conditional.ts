/** The fewest files for which it is worth a request to learn what the service does. */
const worthLearning = 20;
/** Up to here a refused body costs less than a look at each key before. */
const conditionalBytes = 256 * 1024;

/** Whether a file of this size asks by its PUT, where the service answers that. */
export function mayAskByPut({ sizeBytes }: { readonly sizeBytes: number }): boolean {
  return sizeBytes <= conditionalBytes;
}

type Known = 'honoured' | 'ignored';

interface Target {
  readonly id: string;
  readonly connectionId: string;
  readonly bucket: string;
  readonly counts: { readonly total: number };
}

/**
 * Which buckets honour `If-None-Match: *` (S3 API, PutObject). Where it is honoured a small file is sent without a look
 * at its key. Learned from the service's own answers, never from its name: gateways and versions differ, and one that
 * ignores the header would overwrite without a word.
 */
export class ConditionalWrites {
  readonly #known = new Map<string, Known>();
  readonly #learning = new Set<string>();
  /** Jobs that have just met a key that is taken: the next one is likely taken as well, and is looked at first. */
  readonly #meeting = new Set<string>();

  /** Whether the PUT itself may ask if the key is free. */
  mayAsk(job: Target): boolean {
    return this.#known.get(nameOf(job)) === 'honoured' && !this.#meeting.has(job.id);
  }

  /** True once for each bucket that is not known: the caller finds out, and says so. */
  shouldLearn(job: Target): boolean {
    const name = nameOf(job);
    if (job.counts.total < worthLearning || this.#known.has(name) || this.#learning.has(name)) return false;
    this.#learning.add(name);
    return true;
  }

  /** null: the answer told nothing; another file may find out. */
  learned(job: Target, known: Known | null): void {
    const name = nameOf(job);
    this.#learning.delete(name);
    if (known !== null) this.#known.set(name, known);
  }

  met(job: Target, isTaken: boolean): void {
    if (isTaken) this.#meeting.add(job.id);
    else this.#meeting.delete(job.id);
  }
}

function nameOf(job: Target): string {
  return `${job.connectionId}/${job.bucket}`;
}
