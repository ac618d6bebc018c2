import { mixedUp, type HashAnswer, type PieceTask } from './hash-messages.ts';

/** A sink for the bytes of one piece of a file. One thread writes and hashes them in order. */
export interface PieceSink {
  /**
   * Takes the memory of the bytes, and gives it back when they are in the file. Rejects with the system's own code; the
   * memory is gone then.
   */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<ArrayBuffer>;
  /** The MD5s of its parts, once all is written. */
  end(): Promise<readonly string[]>;
}

export interface PieceRequest {
  /** Open until the sink has ended. */
  readonly fd: number;
  /** MD5s of so many bytes each, from the beginning of the piece; null: none are wanted. */
  readonly partBytes: number | null;
}

/** A thread, as far as pieces need one. */
export interface PieceThread {
  readonly ask: (task: PieceTask, given: readonly ArrayBuffer[]) => Promise<HashAnswer>;
  readonly nextId: () => number;
}

/** The pieces that go through one thread. */
export class ThreadPieces {
  readonly #thread: PieceThread;
  /** Those that are open now. */
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
        const answer = await this.#ask(task, [bytes.buffer]);
        if (answer.kind !== 'stored') throw mixedUp();
        return answer.memory;
      },
      end: async () => {
        this.openPieces -= 1;
        const answer = await this.#ask({ kind: 'end-piece', id: this.#thread.nextId(), piece }, []);
        return answer.kind === 'piece' ? answer.md5s : [];
      },
    };
  }

  async #ask(task: PieceTask, given: readonly ArrayBuffer[]): Promise<HashAnswer> {
    const answer = await this.#thread.ask(task, given);
    if (answer.kind === 'failed')
      throw Object.assign(new Error(answer.message), { code: answer.code ?? 'UNKNOWN' });
    return answer;
  }
}
