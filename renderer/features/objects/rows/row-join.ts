/** A piece of a folder: the rows after the key `after`, up to and including `upTo`. With null, up to the end. */
export interface RowsPiece<Rows> {
  readonly after: string;
  readonly upTo: string | null;
  /** The token of the next page, or null at the end of the folder. */
  readonly nextPageToken: string | null;
  readonly rows: Rows;
}

/**
 * Joins the pieces of a folder, which arrive in any order, into one list in the service's order. A piece is joined once all pieces
 * before it have arrived.
 */
export class RowJoin<Rows> {
  readonly #waiting = new Map<string, RowsPiece<Rows>>();
  #upTo: string | null;

  /** `after` is the key or common prefix before the first piece. */
  constructor(after: string) {
    this.#upTo = after;
  }

  /** Returns the number of pieces that wait for missing earlier pieces. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  get isWhole(): boolean {
    return this.#upTo === null;
  }

  add(piece: RowsPiece<Rows>): void {
    this.#waiting.set(piece.after, piece);
  }

  /** Returns the pieces joined since the last call, in order. */
  take(): readonly RowsPiece<Rows>[] {
    const joined: RowsPiece<Rows>[] = [];
    while (this.#upTo !== null) {
      const piece = this.#waiting.get(this.#upTo);
      if (piece === undefined) break;
      this.#waiting.delete(this.#upTo);
      this.#upTo = piece.upTo;
      joined.push(piece);
    }
    return joined;
  }
}
