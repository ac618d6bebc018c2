import { rowText } from '../../../../shared/keys/row-text.ts';

/** Collects the matches of a page, to be sent from the thread as UTF-8. */
export interface PageRows {
  readonly count: number;
  /** Adds a row. `modifiedAt` is in ISO 8601. A common prefix has only a key; its other values are null. */
  add(
    key: string,
    sizeBytes: number | null,
    modifiedAt: string | null,
    etag: string | null,
    storageClass: string | null,
  ): void;
  text(): string;
}

/** Collects matches as a flat JSON array with five values each. */
export class JsonRows implements PageRows {
  readonly #values: (string | number | null)[] = [];

  get count(): number {
    return this.#values.length / 5;
  }

  readonly add: PageRows['add'] = (key, sizeBytes, modifiedAt, etag, storageClass) => {
    this.#values.push(key, sizeBytes, modifiedAt, etag, storageClass);
  };

  text(): string {
    return JSON.stringify(this.#values);
  }
}

/** Collects matches as text for the window. The text needs no escaping, and it leaves few objects for the garbage collector. */
export class TextRows implements PageRows {
  #count = 0;
  #text = '';

  get count(): number {
    return this.#count;
  }

  readonly add: PageRows['add'] = (key, sizeBytes, modifiedAt, etag, storageClass) => {
    const modifiedMs = modifiedAt === null ? Number.NaN : Date.parse(modifiedAt);
    this.#count += 1;
    this.#text += rowText({ key, sizeBytes, modifiedMs, etag, storageClass });
  };

  text(): string {
    return this.#text;
  }
}
