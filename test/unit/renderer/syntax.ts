import { parseSync } from 'vite';

/** A node of the syntax tree, as ESTree names it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

/** Parses a source file. Throws if it cannot be parsed. */
export function parsed(file: string, source: string): unknown {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message ?? ''}`);
  return program;
}

/** Returns the line number of a node, from 1. */
export function lineOf({ start }: Node, source: string): string {
  return String(source.slice(0, start).split('\n').length);
}

/** Returns the name of an identifier or the value of a string literal, or '' for any other node. */
export function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  const name = node['name'] ?? node['value'];
  return typeof name === 'string' ? name : '';
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Calls `see` for a node and all its descendants. */
export function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (isNode(node)) {
    see(node);
    for (const inner of Object.values(node)) if (typeof inner === 'object') visit(inner, see);
  }
}
