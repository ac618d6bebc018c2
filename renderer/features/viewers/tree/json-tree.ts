import { leaf, moreNode, maxChildren, memoized, type TreeKind, type TreeNode } from './tree-node.ts';

/**
 * Returns the tree of a valid JSON text, or null for anything else. Keeps values as written: parsing and printing would change
 * `10.0`, `1e5` and long numbers, and would lose repeated names.
 */
export function jsonTree(text: string, name = ''): TreeNode | null {
  return isJson(text) ? validJsonTree(text, name) : null;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the tree of a text that is known to be valid JSON. */
export function validJsonTree(text: string, name = ''): TreeNode {
  return valueAt(text, skipSpace(text, 0), name).node;
}

interface Read {
  readonly node: TreeNode;
  /** The offset after the value. */
  readonly end: number;
}

// These patterns keep their position in `lastIndex`. They can be shared, since parsing is synchronous.
const space = /[ \t\r\n]*/y;
const plainToken = /[^\s,\]}]+/y;
const structure = /["[\]{},]/g;

function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

function valueAt(text: string, at: number, name: string): Read {
  const first = text[at];
  if (first === '{' || first === '[') return containerAt(text, at, name, first === '{' ? 'object' : 'array');
  if (first === '"') {
    const end = stringEnd(text, at);
    return { node: leaf(name, 'string', text.slice(at, end)), end };
  }
  plainToken.lastIndex = at;
  plainToken.test(text);
  const end = plainToken.lastIndex;
  const token = text.slice(at, end);
  return { node: leaf(name, /^[-\d]/.test(token) ? 'number' : 'word', token), end };
}

/** Returns the offset after the closing quote. A pattern would need as much stack as the string is long. */
function stringEnd(text: string, at: number): number {
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** Finds the end of a container and counts its direct children, without parsing nested ones. */
function containerAt(text: string, at: number, name: string, kind: TreeKind): Read {
  let depth = 0;
  let commas = 0;
  let end = text.length;
  structure.lastIndex = at;
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    const [sign] = found;
    if (sign === '"') structure.lastIndex = stringEnd(text, found.index);
    else if (sign === ',') commas += depth === 1 ? 1 : 0;
    else if (sign === '{' || sign === '[') depth += 1;
    else {
      depth -= 1;
      if (depth > 0) continue;
      end = found.index + 1;
      break;
    }
  }
  const isEmpty = skipSpace(text, at + 1) >= end - 1;
  const count = isEmpty ? 0 : commas + 1;
  const children = memoized(() => childrenOf(text, at, count, kind === 'object'));
  return { node: { name, kind, text: '', count, children }, end };
}

function childrenOf(text: string, at: number, count: number, isObject: boolean): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  let place = skipSpace(text, at + 1);
  const shown = Math.min(count, maxChildren);
  while (nodes.length < shown) {
    let name = String(nodes.length);
    if (isObject) {
      const end = stringEnd(text, place);
      name = nameOf(text.slice(place, end));
      // Moves past the colon.
      place = skipSpace(text, skipSpace(text, end) + 1);
    }
    const { node, end } = valueAt(text, place, name);
    nodes.push(node);
    // Moves past the comma.
    place = skipSpace(text, skipSpace(text, end) + 1);
  }
  if (count > shown) nodes.push(moreNode(count - shown));
  return nodes;
}

function nameOf(quoted: string): string {
  const name: unknown = JSON.parse(quoted);
  return typeof name === 'string' ? name : quoted;
}

/** Limit of indentation, which deeper levels share. Without it, nested brackets would grow with the square of their depth. */
const deepestIndent = 60;
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * Returns valid JSON with two spaces of indentation per level, or null for anything else. Keeps names, strings and numbers as
 * written: parsing and printing would change `10.0`, `1e5`, `a\/b` and long numbers.
 */
export function formattedJson(text: string): string | null {
  if (!isJson(text)) return null;
  const pieces: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(jsonToken)) {
    const isOpening = before === '{' || before === '[';
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    const isEmptyPair = isOpening && isClosing;
    if ((isOpening || isClosing || before === ',') && !isEmptyPair)
      pieces.push('\n', '  '.repeat(Math.min(depth, deepestIndent)));
    pieces.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return pieces.join('');
}
