import { compareKeys } from '../../../../shared/keys/order.ts';
import type { KeySpace } from './key-space.ts';

/** (after, through] of the keys below the prefix, in the order of UTF-8 bytes. Null: without that end. */
export interface Piece {
  readonly id: number;
  /** The key after which the piece started; null for the first key. */
  readonly from: string | null;
  /** The last key that was delivered. */
  readonly after: string | null;
  readonly through: string | null;
  readonly pages: number;
  readonly keys: number;
}

/** The facts that the reader of a piece learned from a page. */
export interface PieceNews {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  readonly beyondKey: string | null;
  readonly keys: number;
  readonly isTruncated: boolean;
}

type Mutable = { -readonly [name in keyof Piece]: Piece[name] };

/**
 * A seam is where two pieces meet. The one on its left ends at the first key beyond it, the one on its right begins with its
 * first key: for a service that lists in the order of UTF-8 these are the same key. `undefined`: not known yet.
 */
interface Seam {
  left: string | null | undefined;
  right: string | null | undefined;
  /** The last key the left one delivered. */
  leftAfter: string | null;
}

/** Both sides of a seam, where they do not agree. */
export interface OpenSeam {
  readonly at: string;
  readonly leftAfter: string | null;
}

/** A page that a piece is thought to need at least, to be worth a cut. */
const worthKeys = 1500;

/**
 * The division of the keys of a walk. Each key is in exactly one piece at any moment: a cut takes the upper part of a piece
 * away from it, above all that it has delivered, in one step.
 */
export class WalkPieces {
  readonly #pieces = new Map<number, Mutable>();
  readonly #seams = new Map<string, Seam>();
  #open: OpenSeam[] = [];
  #nextId = 1;

  /** All keys behind this one; null: all. */
  constructor(from: string | null = null) {
    this.#add(from, null);
  }

  get size(): number {
    return this.#pieces.size;
  }

  all(): readonly Piece[] {
    return [...this.#pieces.values()];
  }

  get(id: number): Piece | null {
    return this.#pieces.get(id) ?? null;
  }

  /** Returns true if a page, read to its last key, still lies within the piece, which may have been split meanwhile. */
  fits(id: number, news: PieceNews): boolean {
    const piece = this.#pieces.get(id);
    if (piece === undefined) return false;
    return piece.through === null || news.lastKey === null || compareKeys(news.lastKey, piece.through) <= 0;
  }

  /** Takes a page that fits into account; true when the piece is at its end, and gone. */
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
        // The right part starts after an existing key, as the next page here would.
        this.#seams.delete(piece.through);
      } else this.#stitch(piece.through, { left: news.beyondKey, leftAfter: piece.after });
    }
    return true;
  }

  /** Seams that do not fit since this was last asked: the service's order is to be looked at there. */
  takeOpenSeams(): readonly OpenSeam[] {
    const open = this.#open;
    this.#open = [];
    return open;
  }

  /** Cuts the largest piece, as far as one can tell, above its last delivered key; the upper part. Null: none is worth it. */
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

  /** Null where the place is not inside what is left of the piece. */
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

/** Between the folders that are known, a piece can be cut before its first page came; else only when it turned out to be long. */
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
