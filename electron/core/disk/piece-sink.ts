import { mixedUp, type HashAnswer, type PieceTask } from './hash-messages.ts';

/** Where the bytes of one piece of a file go: to one thread, which writes and hashes them in their order. */
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
  readonly post: (task: PieceTask, gone: readonly ArrayBuffer[]) => void;
  readonly nextId: () => number;
}

interface Asked {
  readonly resolve: (answer: HashAnswer) => void;
  readonly reject: (thrown: unknown) => void;
}

/** The blocks that one thread has been given and not answered yet. */
export class PieceQueue {
  readonly #thread: PieceThread;
  readonly #asked = new Map<number, Asked>();
  /** Pieces that go through this thread now. */
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

  /** True: the answer was for a block. */
  answered(answer: HashAnswer): boolean {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return false;
    this.#asked.delete(answer.id);
    if (answer.kind === 'failed')
      asked.reject(Object.assign(new Error(answer.message), { code: answer.code ?? 'UNKNOWN' }));
    else asked.resolve(answer);
    return true;
  }

  died(thrown: unknown): void {
    for (const asked of this.#asked.values()) asked.reject(thrown);
    this.#asked.clear();
  }

  async #ask(task: PieceTask, gone: readonly ArrayBuffer[]): Promise<HashAnswer> {
    return await new Promise((resolve, reject) => {
      this.#asked.set(task.id, { resolve, reject });
      this.#thread.post(task, gone);
    });
  }
}
