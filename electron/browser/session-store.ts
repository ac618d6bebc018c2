import { createHash, randomBytes } from 'node:crypto';
import type { SessionAnswer } from '../../shared/session-messages.ts';

type Refusal = Exclude<SessionAnswer, { kind: 'session' }>['reason'];

interface Code {
  /** null: good until it is used. */
  readonly expiresAtMs: number | null;
}

const maxOpenCodes = 64;
const rememberedUsedCodes = 256;
const maxTokens = 256;

/** This many wrong codes and tokens are answered within a window of time; what comes after is told to wait. */
const wrongTriesAllowed = 10;
const wrongTriesWindowMs = 60_000;

/** An address that nobody opened ends: it may stand in a scrollback, or in a picture of the screen. */
export const codeLifetimeMs = 10 * 60_000;

export interface SessionStore {
  /** A new one-time code; it ends after 10 minutes unless told otherwise. */
  issueCode(lifetimeMs?: number | null): string;
  /** A token for a code, once. */
  exchange(code: string, nowMs: number): { readonly token: string } | { readonly refused: Refusal };
  checkToken(token: string, nowMs: number): 'good' | 'wrong' | 'too-many-tries';
}

/**
 * Codes and tokens are 256 random bits, kept as their SHA-256: a look-up by hash takes the same time however much of a
 * guess is right, and what memory holds opens nothing. The limit on wrong tries never keeps a right one out, or any
 * program on this computer could lock the person out.
 */
export function createSessionStore(nowMs: () => number): SessionStore {
  const codes = new Map<string, Code>();
  const usedCodes = new Set<string>();
  const tokens = new Set<string>();
  let wrongTriesAtMs: number[] = [];

  const tooMany = (atMs: number): boolean => {
    wrongTriesAtMs = wrongTriesAtMs
      .filter((tryMs) => atMs - tryMs < wrongTriesWindowMs)
      .slice(-wrongTriesAllowed);
    const exceeded = wrongTriesAtMs.length >= wrongTriesAllowed;
    wrongTriesAtMs.push(atMs);
    return exceeded;
  };

  return {
    issueCode: (lifetimeMs = codeLifetimeMs) => {
      const code = newSecret();
      codes.set(digest(code), { expiresAtMs: lifetimeMs === null ? null : nowMs() + lifetimeMs });
      dropOldest(codes, maxOpenCodes);
      return code;
    },
    exchange: (code, atMs) => {
      const hash = digest(code);
      const known = codes.get(hash);
      if (known === undefined) {
        if (tooMany(atMs)) return { refused: 'too-many-tries' };
        return { refused: usedCodes.has(hash) ? 'used' : 'unknown' };
      }
      codes.delete(hash);
      if (known.expiresAtMs !== null && atMs >= known.expiresAtMs) return { refused: 'expired' };
      usedCodes.add(hash);
      dropOldest(usedCodes, rememberedUsedCodes);
      const token = newSecret();
      tokens.add(digest(token));
      dropOldest(tokens, maxTokens);
      return { token };
    },
    checkToken: (token, atMs) => {
      const hash = digest(token);
      if (tokens.has(hash)) {
        // Most recently used last, so that the limit drops tabs that were left long ago.
        tokens.delete(hash);
        tokens.add(hash);
        return 'good';
      }
      return tooMany(atMs) ? 'too-many-tries' : 'wrong';
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
