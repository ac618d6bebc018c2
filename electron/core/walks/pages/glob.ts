import { assertNever } from '../../../../shared/assert-never.ts';

/** One element of a pattern. `any` (`*`) matches no `/`; `anyDeep` (`**`) matches every character. */
type Token =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one' }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    }
  | { readonly kind: 'any' }
  | { readonly kind: 'anyDeep' };

const slash = 47;
const maxAlternatives = 64;

/**
 * Compiles a glob: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, and `\` to escape a character. Unlike an equivalent regular
 * expression, matching never takes longer than pattern length times text length. Throws a SyntaxError that explains an invalid
 * pattern.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const alternatives = expandBraces(pattern).map(tokensOf);
  return (text) => alternatives.some((tokens) => matches(tokens, text));
}

function expandBraces(pattern: string): readonly string[] {
  let done: string[] = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '{') {
      const end = closingBrace(pattern, at);
      const choices = splitChoices(pattern.slice(at + 1, end)).flatMap(expandBraces);
      done = done.flatMap((before) => choices.map((choice) => before + choice));
      if (done.length > maxAlternatives)
        throw new SyntaxError(`more than ${maxAlternatives} alternatives in { }`);
      at = end;
    } else if (char === '\\') {
      const pair = pattern.slice(at, at + 2);
      done = done.map((before) => before + pair);
      at += 1;
    } else done = done.map((before) => before + char);
  }
  return done;
}

function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}' && (depth -= 1) === 0) return at;
  }
  throw new SyntaxError('a { without its }');
}

function splitChoices(inside: string): readonly string[] {
  const choices: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inside.length; at += 1) {
    const char = inside.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === ',' && depth === 0) {
      choices.push(inside.slice(from, at));
      from = at + 1;
    }
  }
  return [...choices, inside.slice(from)];
}

function tokensOf(pattern: string): readonly Token[] {
  const chars = Array.from(pattern);
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    if (char === '*') {
      const deep = chars[at + 1] === '*';
      while (chars[at + 1] === '*') at += 1;
      // `**/x` also matches `x` without a folder before it.
      if (deep && chars[at + 1] === '/' && (at === 1 || chars[at - 2] === '/')) {
        tokens.push({ kind: 'anyDeep' });
        at += 1;
        tokens.push({ kind: 'set', negated: false, ranges: folderStart });
      } else tokens.push({ kind: deep ? 'anyDeep' : 'any' });
    } else if (char === '?') tokens.push({ kind: 'one' });
    else if (char === '[') {
      const end = chars.indexOf(']', at + (chars[at + 1] === '!' || chars[at + 1] === '^' ? 3 : 2));
      if (end === -1) throw new SyntaxError('a [ without its ]');
      tokens.push(setOf(chars.slice(at + 1, end)));
      at = end;
    } else if (char === '\\') {
      at += 1;
      const next = chars[at];
      if (next === undefined) throw new SyntaxError('a \\ at the end');
      tokens.push(literal(next));
    } else tokens.push(literal(char));
  }
  return tokens;
}

/** The ranges of an element that matches the start of a folder, or of the text, without consuming a character. */
const folderStart: readonly (readonly [number, number])[] = [];

function literal(char: string): Token {
  return { kind: 'char', code: char.codePointAt(0) ?? 0 };
}

function setOf(inside: readonly string[]): Token {
  const negated = inside[0] === '!' || inside[0] === '^';
  const chars = negated ? inside.slice(1) : inside;
  const ranges: [number, number][] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const first = chars[at]?.codePointAt(0) ?? 0;
    const last = chars[at + 1] === '-' ? chars[at + 2]?.codePointAt(0) : undefined;
    if (last === undefined) ranges.push([first, first]);
    else {
      if (last < first) throw new SyntaxError(`[${inside.join('')}] runs backwards`);
      ranges.push([first, last]);
      at += 2;
    }
  }
  return { kind: 'set', negated, ranges };
}

/** Returns true if the pattern matches the whole text. Tracks all positions of the pattern that the text so far can reach. */
function matches(tokens: readonly Token[], text: string): boolean {
  let states = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  states[0] = 1;
  spread(tokens, states, true);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    let alive = false;
    next.fill(0);
    for (let state = 0; state < tokens.length; state += 1) {
      const token = tokens[state];
      if (states[state] === 0 || token === undefined) continue;
      const to = stepOf(token, code);
      if (to === 0) continue;
      next[to === 1 ? state + 1 : state] = 1;
      alive = true;
    }
    if (!alive) return false;
    spread(tokens, next, code === slash);
    [states, next] = [next, states];
  }
  return states[tokens.length] === 1;
}

/** Matches one character. Returns 1 to advance to the next element of the pattern, 2 to stay at this element, 0 for no match. */
function stepOf(token: Token, code: number): 0 | 1 | 2 {
  switch (token.kind) {
    case 'char':
      return token.code === code ? 1 : 0;
    case 'one':
      return code === slash ? 0 : 1;
    case 'set':
      if (code === slash || token.ranges.length === 0) return 0;
      return token.ranges.some(([first, last]) => code >= first && code <= last) === token.negated ? 0 : 1;
    case 'any':
      return code === slash ? 0 : 2;
    case 'anyDeep':
      return 2;
    default:
      return assertNever(token);
  }
}

/** Marks positions after elements that can match an empty text as reachable too. */
function spread(tokens: readonly Token[], states: Uint8Array, atFolderStart: boolean): void {
  for (let state = 0; state < tokens.length; state += 1) {
    const token = tokens[state];
    if (states[state] === 0 || token === undefined) continue;
    const isFolderStart = token.kind === 'set' && token.ranges === folderStart;
    if (token.kind === 'any' || token.kind === 'anyDeep' || (isFolderStart && atFolderStart))
      states[state + 1] = 1;
  }
}
