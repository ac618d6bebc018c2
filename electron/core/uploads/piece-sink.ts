import type { HashAnswer, PieceTask } from './hash-messages.ts';

/** Where the bytes of one piece of a file go: to one thread, which writes and hashes them in their order. */
export interface PieceSink {
  /** Resolves when the block is in the file; until then its bytes are the thread's. Rejects with the system's own code. */
  write(bytes: Uint8Array, position: number): Promise<void>;
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
  readonly post: (task: PieceTask) => void;
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
        await this.#ask({ kind: 'block', id, piece, fd, position, bytes, partBytes });
      },
      end: async () => {
        this.openPieces -= 1;
        const answer = await this.#ask({ kind: 'end-piece', id: this.#thread.nextId(), piece });
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

  async #ask(task: PieceTask): Promise<HashAnswer> {
    return await new Promise((resolve, reject) => {
      this.#asked.set(task.id, { resolve, reject });
      this.#thread.post(task);
    });
  }
}
