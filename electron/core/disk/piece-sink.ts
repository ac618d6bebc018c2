import { unexpectedThreadResponse, type HashResponse, type PieceTask } from './hash-messages.ts';

/** A sink for the bytes of one piece of a file. One thread writes and hashes them in order. */
export interface PieceSink {
  /**
   * Takes ownership of the bytes' buffer and returns it once they are written. Rejects with the system's error code; the buffer
   * is lost in that case.
   */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<ArrayBuffer>;
  /** Returns the MD5s of the parts once all is written. */
  end(): Promise<readonly string[]>;
}

export interface PieceRequest {
  /** The file descriptor. It must stay open until the sink has ended. */
  readonly fd: number;
  /** The size of the parts to hash, counted from the start of the piece; null if no MD5s are needed. */
  readonly partBytes: number | null;
}

/** The functions of a thread that write and hash pieces. */
export interface PieceThread {
  readonly ask: (task: PieceTask, transferList: readonly ArrayBuffer[]) => Promise<HashResponse>;
  readonly nextId: () => number;
}

/** The pieces that one thread handles. */
export class ThreadPieces {
  readonly #thread: PieceThread;
  /** The number of open pieces. */
  openPieces = 0;

  constructor(thread: PieceThread) {
    this.#thread = thread;
  }

  open({ fd, partBytes }: PieceRequest): PieceSink {
    const piece = this.#thread.nextId();
    this.openPieces += 1;
    return {
      write: async (bytes, position) => {
        const id = this.#thread.nextId();
        const task = { kind: 'block', id, piece, fd, position, bytes, partBytes } as const;
        const response = await this.#ask(task, [bytes.buffer]);
        if (response.kind !== 'stored') throw unexpectedThreadResponse();
        return response.memory;
      },
      end: async () => {
        this.openPieces -= 1;
        const response = await this.#ask({ kind: 'end-piece', id: this.#thread.nextId(), piece }, []);
        return response.kind === 'piece' ? response.md5s : [];
      },
    };
  }

  async #ask(task: PieceTask, transferList: readonly ArrayBuffer[]): Promise<HashResponse> {
    const response = await this.#thread.ask(task, transferList);
    if (response.kind === 'failed')
      throw Object.assign(new Error(response.message), { code: response.code ?? 'UNKNOWN' });
    return response;
  }
}

/** Returns the thread with the fewest open pieces. */
export function leastBusy<T extends { readonly pieces: ThreadPieces }>(threads: readonly T[]): T | null {
  const [first = null, ...others] = threads;
  return others.reduce(
    (least: T | null, thread) =>
      least === null || thread.pieces.openPieces < least.pieces.openPieces ? thread : least,
    first,
  );
}
