import { checksumOf, type ChecksumAlgorithm, type PartChecksums } from '../../disk/checksums.ts';

/** The algorithms that Cooper sends, the preferred one first: CRC-64/NVME also covers an object in parts as a whole. */
const sendable = ['crc64nvme', 'crc32c'] as const satisfies readonly ChecksumAlgorithm[];

export type SentAlgorithm = (typeof sendable)[number];

type Headers = Readonly<Record<string, string>>;

/**
 * Remembers which checksums a service computes, for one connection. Several services refuse requests with a checksum, so one is
 * sent only to a provider that documents it, or after the service has named one itself.
 */
export class ChecksumMemory {
  /** True if the provider documents that it compares checksums, so its response does not merely repeat the request. */
  readonly isTrusted: boolean;
  readonly #named = new Set<SentAlgorithm>();
  readonly #ignored = new Set<SentAlgorithm>();

  constructor(documented: SentAlgorithm | null) {
    this.isTrusted = documented !== null;
    if (documented !== null) this.#named.add(documented);
  }

  /** The algorithm to send; null if the service is not known to compare any. */
  get algorithm(): SentAlgorithm | null {
    return sendable.find((name) => this.#named.has(name) && !this.#ignored.has(name)) ?? null;
  }

  /** Returns the checksum to send with these bytes; empty if none is sent. */
  of(bytes: Uint8Array): PartChecksums {
    const { algorithm } = this;
    return algorithm === null ? {} : { [algorithm]: checksumOf(algorithm, bytes) };
  }

  /** The option to create an upload with if its parts carry a checksum; empty if they do not. */
  get ofUploads(): { readonly checksumAlgorithm?: SentAlgorithm } {
    return this.algorithm === null ? {} : { checksumAlgorithm: this.algorithm };
  }

  /** Learns from a successful response, and from the checksums of the request that it did not name. */
  learn(sent: Headers, answered: Headers): void {
    for (const name of sendable) {
      const header = `x-amz-checksum-${name}`;
      if (answered[header] !== undefined) this.#named.add(name);
      else if (sent[header] !== undefined) this.#ignored.add(name);
    }
  }

  /**
   * Returns true if the response to a request with these checksums may merely repeat them. Then an MD5 that differs outweighs
   * them.
   */
  mayEcho(sent: PartChecksums): boolean {
    return !this.isTrusted && Object.keys(sent).length > 0;
  }
}
