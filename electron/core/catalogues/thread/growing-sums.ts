import { Block } from '../../walks/map/block.ts';
import { FolderSums } from '../../walks/map/folder-sums.ts';
import { readKeyPage } from '../../walks/map/key-page.ts';
import { storageFailureOf } from '../../store/sqlite-errors.ts';
import type { KeptState } from '../../../../shared/models/map.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';
import { Tops } from './tops.ts';

export interface SumsNow {
  readonly revision: number;
  readonly objects: number;
  readonly sizeBytes: number;
  readonly folders: number;
}

/** Adds up the pages of a listing and writes its catalogue. If writing fails, continues the sums without a catalogue. */
export class GrowingSums {
  folderSums: FolderSums;
  tops = new Tops();
  #writer: CatalogueWriter | null = null;
  readonly #isKept: boolean;
  #kept: KeptState;

  /** Without `makeWriter`, no file is written. If `isKept` is false, the file is only used to count repeated keys once. */
  constructor(prefix: string, makeWriter: (() => CatalogueWriter) | null, isKept = makeWriter !== null) {
    this.folderSums = new FolderSums(prefix);
    this.#isKept = isKept;
    this.#kept = isKept ? 'pending' : 'off';
    try {
      if (makeWriter !== null) this.#writer = makeWriter();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  add(page: Uint8Array): SumsNow {
    const { block: data, ownerRuns, ...sums } = readKeyPage(page);
    this.folderSums.add(sums);
    const block = new Block(data);
    this.tops.add(block);
    this.#write((writer) => {
      writer.add(block, data, ownerRuns);
      if (writer.isTooLarge) this.#giveUp('too-large');
    });
    return sumsNow(this.folderSums);
  }

  restart(): void {
    this.folderSums = new FolderSums(this.folderSums.prefix);
    this.tops = new Tops();
    this.#write((writer) => writer.restart());
  }

  disorder(): void {
    this.#write((writer) => writer.disorder());
  }

  /**
   * Completes the sums and the catalogue. Returns the size of the catalogue's file. Returns null if none is stored; `kept` has
   * the reason.
   */
  finish(): number | null {
    let fileBytes: number | null = null;
    this.#write((writer) => {
      const counted = { folderSums: this.folderSums, tops: this.tops };
      if (!this.#isKept) {
        ({ folderSums: this.folderSums, tops: this.tops } = writer.countOnce(counted));
        return;
      }
      const written = writer.finish(counted);
      ({ fileBytes } = written);
      this.folderSums = written.folderSums;
      this.tops = written.tops;
      this.#kept = 'kept';
    });
    this.#writer = null;
    return fileBytes;
  }

  abandon(): void {
    if (this.#writer !== null) this.#giveUp('failed');
  }

  get kept(): KeptState {
    return this.#kept;
  }

  /** Runs `work` with the writer. If writing fails, drops the catalogue and continues the listing. */
  #write(work: (writer: CatalogueWriter) => void): void {
    const writer = this.#writer;
    if (writer === null) return;
    try {
      work(writer);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    this.#giveUp('failed');
    if (storageFailureOf(thrown) === null && !isSystemError(thrown)) throw thrown;
  }

  #giveUp(why: 'too-large' | 'failed'): void {
    const writer = this.#writer;
    this.#writer = null;
    if (this.#isKept) this.#kept = why;
    writer?.abandon();
  }
}

export function sumsNow(folderSums: FolderSums): SumsNow {
  const { revision, objects, sizeBytes, folderCount } = folderSums;
  return { revision, objects, sizeBytes, folders: folderCount - 1 };
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
