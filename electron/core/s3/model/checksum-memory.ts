import { checksumOf, type ChecksumAlgorithm, type PartChecksums } from '../../disk/checksums.ts';
import { featureOf, type ServiceMemory } from './service-memory.ts';

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
    const isTaken = (name: SentAlgorithm): boolean =>
      ['PutObject', 'UploadPart', responsesToWrites].every((taker) =>
        memory.allows(featureOf(taker, headerOf(name))),
      );
    return sendable.find((name) => isKnown(name) && isTaken(name)) ?? null;
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
