import { bareEtag, expectedEtag } from '../../s3/model/etag.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import type { LocalSource } from '../../disk/fence.ts';
import { md5Lanes } from '../../disk/md5-module.ts';
import { partSizesOf, slotsFor } from '../items/part-size.ts';
import type { ReportedPartSizes } from './reported-part-sizes.ts';
import { fitsEtag, type FileVerdict } from './verify-file.ts';

/** The maximum number of bytes not hashed yet. Below it, they can usually still be read from the page cache. */
const waitingBytes = 128 * 1024 * 1024;

interface Hashing {
  leftBytes: number;
  md5: Promise<string> | null;
}

/**
 * Hashes the upload parts of an object during its download, several completed parts in parallel. This takes a third of the time
 * of hashing afterwards.
 */
export class PartHashes {
  readonly #hasher: Hasher;
  readonly #file: LocalSource;
  readonly #sizeBytes: number;
  readonly #etag: string;
  readonly #signal: AbortSignal;
  readonly #partBytes: number;
  readonly #parts: Hashing[];
  /** The indices of complete parts whose hashing has not started yet. */
  #waiting: number[] = [];

  constructor(hasher: Hasher, file: LocalSource, sizeBytes: number, etag: string, signal: AbortSignal) {
    this.#hasher = hasher;
    this.#file = file;
    this.#sizeBytes = sizeBytes;
    this.#etag = etag;
    this.#signal = signal;
    const count = /-(\d{1,5})$/.exec(bareEtag(etag))?.[1];
    // Assumes the most likely part size. If that is wrong, other sizes are tried at the end.
    this.#partBytes = count === undefined ? 0 : (partSizesOf(sizeBytes, Number(count))[0] ?? 0);
    this.#parts =
      this.#partBytes === 0
        ? []
        : slotsFor(sizeBytes, this.#partBytes).map((slot) => ({ leftBytes: slot.sizeBytes, md5: null }));
  }

  /** The part size in bytes; 0 if it is unknown. */
  get partBytes(): number {
    return this.#partBytes;
  }

  /** Records bytes that were written to the file. Each byte must be recorded once. */
  arrived(firstByte: number, sizeBytes: number): void {
    if (this.#parts.length === 0) return;
    const end = firstByte + sizeBytes;
    for (let index = Math.floor(firstByte / this.#partBytes); index * this.#partBytes < end; index += 1) {
      const part = this.#parts[index];
      if (part === undefined) return;
      const from = index * this.#partBytes;
      const to = Math.min(from + this.#partBytes, this.#sizeBytes);
      part.leftBytes -= Math.min(end, to) - Math.max(firstByte, from);
      if (part.leftBytes === 0) this.#waiting.push(index);
    }
    const together = Math.min(md5Lanes, Math.max(1, Math.floor(waitingBytes / this.#partBytes)));
    if (this.#waiting.length >= together) this.#hashWaiting();
  }

  /** Compares the file with the ETag. Returns null if the ETag cannot verify the content. */
  async verdict(partSizes?: ReportedPartSizes): Promise<FileVerdict> {
    this.#hashWaiting();
    if (this.#parts.length > 0 && this.#parts.every((part) => part.md5 !== null)) {
      const md5s = await Promise.all(this.#parts.map(async (part) => (await part.md5) ?? ''));
      if (expectedEtag(md5s) === bareEtag(this.#etag)) {
        partSizes?.onFit();
        return true;
      }
    }
    return await fitsEtag(this.#hasher, this.#file, this.#sizeBytes, this.#etag, this.#signal, partSizes);
  }

  #hashWaiting(): void {
    const indices = this.#waiting;
    this.#waiting = [];
    for (const index of indices) {
      const part = this.#parts[index];
      const offset = index * this.#partBytes;
      if (part !== undefined)
        part.md5 = this.#hash(offset, Math.min(this.#partBytes, this.#sizeBytes - offset));
    }
  }

  #hash(offset: number, sizeBytes: number): Promise<string> {
    const request = { ...this.#file, offset, sizeBytes, algorithm: null };
    const hashing = this.#hasher.hash(request, this.#signal).then((hash) => hash.md5);
    // `verdict` reports the failure. After a failed download, nothing else awaits this promise.
    hashing.catch(() => undefined);
    return hashing;
  }
}
