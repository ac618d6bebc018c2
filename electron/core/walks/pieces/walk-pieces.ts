import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { KeySpace } from './key-space.ts';

/**
 * A range of keys that one reader lists: after `after`, up to and including `through`, in UTF-8 order. A null bound is unlimited.
 */
export interface Piece {
  readonly id: number;
  /** The key after which the range began; null if it began at the first key. */
  readonly from: string | null;
  /** The last key listed so far. */
  readonly after: string | null;
  readonly through: string | null;
  readonly pages: number;
  readonly keys: number;
}

/** The properties of a page by which its piece advances. */
export interface PieceNews {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly beyondKey: string | null;
  readonly keys: number;
  readonly isTruncated: boolean;
}

type Mutable = { -readonly [name in keyof Piece]: Piece[name] };

/**
 * The boundary between two pieces. `left` is the first key that the left piece found beyond its end; `right` is the first key of
 * the right piece. If the service lists in UTF-8 order, both are the same key. `undefined` means unknown so far.
 */
interface Seam {
  left: string | null | undefined;
  right: string | null | undefined;
  /** The last key in the left piece. */
  leftAfter: string | null;
}

/** A boundary at which the left and right piece found different keys. */
export interface OpenSeam {
  readonly at: string;
  readonly leftAfter: string | null;
}

/** A piece with fewer estimated keys left than this, which is more than a page, is not split. */
const worthKeys = 1500;

/**
 * Divides the keys of a walk into ranges (pieces), so that each key is in exactly one piece at any time. A split moves the upper
 * part of a piece, beyond its last listed key, to a new piece.
 */
export class WalkPieces {
  readonly #pieces = new Map<number, Mutable>();
  readonly #seams = new Map<string, Seam>();
  #open: OpenSeam[] = [];
  #nextId = 1;

  /** Starts after the key `from`; null starts at the first key. */
  constructor(from: string | null = null) {
    this.#add(from, null);
  }

  all(): readonly Piece[] {
    return [...this.#pieces.values()];
  }

  get(id: number): Piece | null {
    return this.#pieces.get(id) ?? null;
  }

  /** Returns true if all keys of the page are inside the piece, which may have been split since the request. */
  fits(id: number, news: PieceNews): boolean {
    const piece = this.#pieces.get(id);
    if (piece === undefined) return false;
    return piece.through === null || news.lastKey === null || compareKeys(news.lastKey, piece.through) <= 0;
  }

  /** Records a page that is inside its piece. Returns true if the piece is now complete and removed. */
  deliver(id: number, news: PieceNews): boolean {
    const piece = this.#pieces.get(id);
    if (piece === undefined) throw new RangeError('This piece has ended.');
    if (piece.pages === 0 && piece.from !== null) this.#stitch(piece.from, { right: news.firstKey });
    piece.pages += 1;
    piece.keys += news.keys;
    piece.after = news.lastKey ?? piece.after;
    const atThrough = piece.through !== null && piece.after === piece.through;
    const isEnd = news.beyondKey !== null || !news.isTruncated || atThrough;
    if (!isEnd) return false;
    this.#pieces.delete(id);
    if (piece.through !== null) {
      if (atThrough && news.beyondKey === null && news.isTruncated) {
        // The upper piece started after an existing key, just as this piece's next page would, so nothing needs to be compared.
        this.#seams.delete(piece.through);
      } else this.#stitch(piece.through, { left: news.beyondKey, leftAfter: piece.after });
    }
    return true;
  }

  /**
   * Returns the boundaries where the pieces found different keys since the last call. The caller must check there whether the
   * service lists in order.
   */
  takeOpenSeams(): readonly OpenSeam[] {
    const open = this.#open;
    this.#open = [];
    return open;
  }

  /**
   * Splits the piece with the most estimated keys left. Returns the upper part as a new piece; null if no piece is worth
   * splitting.
   */
  cut(space: KeySpace): Piece | null {
    const candidates = this.all()
      .filter((piece) => isCuttable(piece, space))
      .map((piece) => ({ piece, weight: weightOf(piece, space) }))
      .toSorted((left, right) => right.weight - left.weight);
    for (const { piece } of candidates) {
      const at = space.cut(piece.after ?? piece.from ?? '', piece.through);
      const upper = at === null ? null : this.cutAt(piece.id, at);
      if (upper !== null) return upper;
    }
    return null;
  }

  /** Splits a piece at a key and returns the upper part; null if the key is not in the part that is still to be listed. */
  cutAt(id: number, at: string): Piece | null {
    const piece = this.#pieces.get(id);
    if (piece === undefined || !at.isWellFormed() || this.#seams.has(at)) return null;
    const low = piece.after ?? piece.from;
    if (low !== null ? compareKeys(at, low) <= 0 : at === '') return null;
    if (piece.through !== null && compareKeys(at, piece.through) >= 0) return null;
    const upper = this.#add(at, piece.through);
    piece.through = at;
    this.#seams.set(at, { left: undefined, right: undefined, leftAfter: null });
    return upper;
  }

  #add(from: string | null, through: string | null): Piece {
    const piece: Mutable = { id: this.#nextId, from, after: from, through, pages: 0, keys: 0 };
    this.#nextId += 1;
    this.#pieces.set(piece.id, piece);
    return piece;
  }

  #stitch(at: string, news: Partial<Seam>): void {
    const seam = this.#seams.get(at);
    if (seam === undefined) return;
    Object.assign(seam, news);
    if (seam.left === undefined || seam.right === undefined) return;
    this.#seams.delete(at);
    if (seam.left !== seam.right) this.#open.push({ at, leftAfter: seam.leftAfter });
  }
}

/**
 * Returns true if a piece may be split. Before its first page, only known folders justify that; later, the estimated number of
 * keys left.
 */
function isCuttable(piece: Piece, space: KeySpace): boolean {
  const low = piece.after ?? piece.from;
  if (low === null) return false;
  if (space.pointsInside(low, piece.through) >= 2) return true;
  if (piece.pages === 0 || piece.after === null) return false;
  const begun = space.share(piece.from ?? '', piece.after);
  const left = space.share(piece.after, piece.through);
  return begun <= 0 || piece.through === null || (piece.keys * left) / begun >= worthKeys;
}

function weightOf(piece: Piece, space: KeySpace): number {
  const low = piece.after ?? piece.from ?? '';
  return space.pointsInside(low, piece.through) + space.share(low, piece.through);
}
