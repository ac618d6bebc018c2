import { decodeEntities } from './text.ts';

/** A parsed document. The content of the root is a text or the children by name. */
export interface PlainTree {
  readonly name: string;
  readonly content: unknown;
}

interface Frame {
  readonly name: string;
  /** The children by name; null until the first one has been read. */
  children: Record<string, unknown[]> | null;
  readonly parent: Frame | null;
  readonly depth: number;
}

const declaration =
  /^<\?xml version=(["'])1\.[01]\1(?:[ \t\n]+encoding=(["'])[A-Za-z0-9._-]+\2)?(?:[ \t\n]+standalone=(["'])(?:yes|no)\3)?[ \t\n]*\?>[ \t\n]*/;
const rootTag = /<([A-Za-z][A-Za-z0-9]*)(?:\s+xmlns(?::[A-Za-z]+)?="[^"<&]*")*\s*>/y;
const tagName = /^[A-Za-z][A-Za-z0-9]*$/;
const maxDepth = 16;
/** The white space of XML except carriage returns. String.trim would remove more. */
const blank = /^[ \t\n]*$/;

/**
 * Parses the XML that storage services usually send: elements without attributes, texts and references. Takes a seventh of the
 * library's time, which matters for millions of keys. Returns null for other or invalid XML, which the library then parses or
 * rejects.
 */
export function readPlainTree(text: string): PlainTree | null {
  const opening = openingOf(text);
  if (opening === null) return null;
  const rootName = opening.name;

  let frame: Frame = { name: rootName, children: null, parent: null, depth: 1 };
  let position = opening.end;
  for (;;) {
    const less = text.indexOf('<', position);
    const greater = less === -1 ? -1 : text.indexOf('>', less);
    if (greater === -1) return null;
    const before = text.slice(position, less);
    position = greater + 1;

    if (text.charCodeAt(less + 1) === 47) {
      if (text.slice(less + 2, greater) !== frame.name) return null;
      const content = contentOf(frame, before);
      if (content === null) return null;
      if (frame.parent === null) return blank.test(text.slice(position)) ? { name: rootName, content } : null;
      add(frame.parent, frame.name, content);
      frame = frame.parent;
      continue;
    }

    const empty = text.charCodeAt(greater - 1) === 47;
    const name = text.slice(less + 1, empty ? greater - 1 : greater);
    if (!isOrdinary(name) || !blank.test(before) || frame.depth >= maxDepth) return null;
    if (empty) add(frame, name, '');
    else frame = { name, children: null, parent: frame, depth: frame.depth + 1 };
  }
}

/**
 * Reads the start of a document. Returns the root's name and the position of its content; null if the library must parse the
 * document.
 */
export function openingOf(text: string): { readonly name: string; readonly end: number } | null {
  if (text.includes('\r')) return null;
  rootTag.lastIndex = declaration.exec(text)?.[0].length ?? 0;
  const name = rootTag.exec(text)?.[1];
  return name === undefined || !isOrdinary(name) ? null : { name, end: rootTag.lastIndex };
}

/** Returns false for names that JavaScript objects have by default, because the library drops or rejects these. */
export function isOrdinary(name: string): boolean {
  return tagName.test(name) && name !== 'prototype' && !(name in Object.prototype);
}

/** Returns the children or the text of an element; null if it has both, or if a reference is invalid. */
function contentOf(frame: Frame, text: string): unknown {
  if (frame.children !== null) return blank.test(text) ? frame.children : null;
  try {
    return decodeEntities(text);
  } catch {
    // The library will parse the document and report the error.
    return null;
  }
}

function add(frame: Frame, name: string, content: unknown): void {
  frame.children ??= Object.create(null) as Record<string, unknown[]>;
  const same = frame.children[name];
  if (same === undefined) frame.children[name] = [content];
  else same.push(content);
}
