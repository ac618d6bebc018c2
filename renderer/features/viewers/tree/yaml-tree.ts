import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Node, type Scalar } from 'yaml';
import { leaf, moreNode, maxChildren, memoized, type TreeKind, type TreeNode } from './tree-node.ts';

/**
 * Returns the trees of the documents in a YAML text; null if one of them has an error. Does not expand aliases, which could make
 * the tree grow without limit. Throws if nested deeper than the parser can follow.
 */
export function yamlTrees(text: string): readonly TreeNode[] | null {
  const documents = parseAllDocuments(text, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return null;
  return documents.map(({ contents }, at) => nodeOf(contents, documents.length === 1 ? '' : String(at)));
}

function nodeOf(value: unknown, name: string): TreeNode {
  const node = value as Node | null;
  const marks = marksOf(node);
  if (isMap(node))
    return container(name, 'object', marks, node.items, ({ key, value: inner }) =>
      nodeOf(inner, keyText(key)),
    );
  if (isSeq(node)) return container(name, 'array', marks, node.items, (item, at) => nodeOf(item, String(at)));
  if (isAlias(node)) return leaf(name, 'word', `*${node.source}`);
  if (isScalar(node)) return leaf(name, scalarKind(node), marked(marks, node.source ?? String(node.value)));
  return leaf(name, 'word', '');
}

/** Returns the anchor and the tag before a value, as written. */
function marksOf(node: Node | null): readonly string[] {
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  const tag = node?.tag;
  return [...(anchor === undefined ? [] : [`&${anchor}`]), ...(tag === undefined ? [] : [shortTag(tag)])];
}

/** Shortens a tag. YAML's own tags are written with two exclamation marks. */
function shortTag(tag: string): string {
  const core = 'tag:yaml.org,2002:';
  if (tag.startsWith(core)) return `!!${tag.slice(core.length)}`;
  return tag.startsWith('!') ? tag : `!<${tag}>`;
}

function container<T>(
  name: string,
  kind: TreeKind,
  marks: readonly string[],
  items: readonly T[],
  make: (item: T, at: number) => TreeNode,
): TreeNode {
  const children = memoized(() => {
    const rest = items.length - maxChildren;
    return [...items.slice(0, maxChildren).map(make), ...(rest > 0 ? [moreNode(rest)] : [])];
  });
  return { name, kind, text: marks.join(' '), count: items.length, children };
}

function keyText(key: unknown): string {
  const node = key as Node | null;
  if (isAlias(node)) return `*${node.source}`;
  const text = isScalar(node)
    ? (node.source ?? String(node.value))
    : isMap(node)
      ? '{…}'
      : isSeq(node)
        ? '[…]'
        : '';
  return marked(marksOf(node), text);
}

function marked(marks: readonly string[], text: string): string {
  return [...marks, text].filter((part) => part !== '').join(' ');
}

function scalarKind({ value }: Scalar): TreeKind {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'word';
    default:
      return value === null ? 'word' : 'string';
  }
}
