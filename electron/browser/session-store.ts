import { createHash, randomBytes } from 'node:crypto';
import type { SessionResponse } from '../../shared/session-messages.ts';

type Refusal = Exclude<SessionResponse, { kind: 'session' }>['reason'];

const maxOpenCodes = 64;
const rememberedUsedCodes = 256;
const maxTokens = 256;

/** The number of wrong codes and tokens allowed per time window. Further ones get 'too-many-tries'. */
const wrongTriesAllowed = 10;
const wrongTriesWindowMs = 60_000;

/**
 * The time in ms for which a printed address can be opened. Short, because it may stay in a terminal's scrollback or a
 * screenshot.
 */
const codeLifetimeMs = 10 * 60_000;

export interface SessionStore {
  /** Returns a new one-time code, which expires after 10 minutes. */
  issueCode(): string;
  /** Exchanges a code for a token. Each code works once. */
  exchange(code: string): { readonly token: string } | { readonly refused: Refusal };
  checkToken(token: string): 'good' | 'wrong' | 'too-many-tries';
}

/**
 * Creates the store. Codes and tokens are 256 random bits, stored as SHA-256. So a lookup takes the same time for any guess, and
 * the stored hashes grant no access. The limit for wrong attempts never refuses a valid code or token; otherwise any local
 * program could lock the user out.
 */
export function createSessionStore(nowMs: () => number): SessionStore {
  /** The time at which each code expires. */
  const codes = new Map<string, number>();
  const usedCodes = new Set<string>();
  const tokens = new Set<string>();
  let wrongTriesAtMs: number[] = [];

  const tooMany = (): boolean => {
    const atMs = nowMs();
    wrongTriesAtMs = wrongTriesAtMs
      .filter((tryMs) => atMs - tryMs < wrongTriesWindowMs)
      .slice(-wrongTriesAllowed);
    const exceeded = wrongTriesAtMs.length >= wrongTriesAllowed;
    wrongTriesAtMs.push(atMs);
    return exceeded;
  };

  return {
    issueCode: () => {
      const code = newSecret();
      codes.set(digest(code), nowMs() + codeLifetimeMs);
      dropOldest(codes, maxOpenCodes);
      return code;
    },
    exchange: (code) => {
      const hash = digest(code);
      const expiresAtMs = codes.get(hash);
      if (expiresAtMs === undefined) {
        if (tooMany()) return { refused: 'too-many-tries' };
        return { refused: usedCodes.has(hash) ? 'used' : 'unknown' };
      }
      codes.delete(hash);
      if (nowMs() >= expiresAtMs) return { refused: 'expired' };
      usedCodes.add(hash);
      dropOldest(usedCodes, rememberedUsedCodes);
      const token = newSecret();
      tokens.add(digest(token));
      dropOldest(tokens, maxTokens);
      return { token };
    },
    checkToken: (token) => {
      const hash = digest(token);
      if (tokens.has(hash)) {
        // Moves the token to the end, so that the limit for tokens drops the least recently used one.
        tokens.delete(hash);
        tokens.add(hash);
        return 'good';
      }
      return tooMany() ? 'too-many-tries' : 'wrong';
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
