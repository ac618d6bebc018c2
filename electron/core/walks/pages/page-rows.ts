import { rowText } from '../../../../shared/keys/row-text.ts';

/** Collects the matches of a page until they leave the thread as UTF-8. */
export interface PageRows {
  readonly count: number;
  /** Adds a row. `modifiedAt` is in ISO 8601. Everything but the key is null for a common prefix. */
  add(
    key: string,
    sizeBytes: number | null,
    modifiedAt: string | null,
    etag: string | null,
    storageClass: string | null,
  ): void;
  text(): string;
}

/** A flat JSON array of five values for each match. */
export class JsonRows implements PageRows {
  readonly #values: (string | number | null)[] = [];

  get count(): number {
    return this.#values.length / 5;
  }

  add(
    key: string,
    sizeBytes: number | null,
    modifiedAt: string | null,
    etag: string | null,
    storageClass: string | null,
  ): void {
    this.#values.push(key, sizeBytes, modifiedAt, etag, storageClass);
  }

  text(): string {
    return JSON.stringify(this.#values);
  }
}

/** Collects rows for the window as text, which messages need not escape. Keeps no values, so that little survives a GC. */
export class TextRows implements PageRows {
  #count = 0;
  #text = '';

  get count(): number {
    return this.#count;
  }

  add(
    key: string,
    sizeBytes: number | null,
    modifiedAt: string | null,
    etag: string | null,
    storageClass: string | null,
  ): void {
    const modifiedMs = modifiedAt === null ? Number.NaN : Date.parse(modifiedAt);
    this.#count += 1;
    this.#text += rowText({ key, sizeBytes, modifiedMs, etag, storageClass });
  }

  text(): string {
    return this.#text;
  }
}
