import { SaxesParser } from 'saxes';
import { leaf, moreNode, maxChildren, type TreeNode } from './tree-node.ts';

/** An element being parsed. */
interface OpenElement {
  readonly name: string;
  readonly children: TreeNode[];
  left: number;
}

const maxDepth = 1000;
/**
 * Matches the parser's messages about references to declared entities. These references stay as written: the document type is
 * never resolved, so no entity is expanded or fetched.
 */
const isReference = /undefined entity|malformed character entity/;

/** Returns the tree of a well-formed XML text; null for anything else. Throws RangeError if it is nested too deeply. */
export function xmlTree(text: string): readonly TreeNode[] | null {
  const root: OpenElement = { name: '', children: [], left: 0 };
  const open: OpenElement[] = [root];
  let isWellFormed = true;
  const add = (node: TreeNode): void => {
    const parent = open.at(-1) ?? root;
    if (parent.children.length < maxChildren) parent.children.push(node);
    else parent.left += 1;
  };
  const addText = (written: string): void => {
    const trimmed = written.trim();
    if (trimmed !== '') add(leaf('', 'text', trimmed));
  };
  const parser = new SaxesParser({ position: false });
  parser.on('error', ({ message }) => {
    if (!isReference.test(message)) isWellFormed = false;
  });
  parser.on('xmldecl', (declaration) => {
    const written = Object.entries(declaration).filter(([, value]) => value !== undefined);
    add(
      elementOf(
        '?xml',
        written.map(([name, value]) => leaf(name, 'attribute', String(value))),
        0,
      ),
    );
  });
  parser.on('doctype', (doctype) => add(leaf('!DOCTYPE', 'comment', doctype.trim())));
  parser.on('processinginstruction', ({ target, body }) => add(leaf(`?${target}`, 'comment', body.trim())));
  parser.on('comment', (comment) => add(leaf('', 'comment', comment.trim())));
  parser.on('cdata', addText);
  parser.on('text', addText);
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > maxDepth) throw new RangeError('The document is nested too deeply.');
    const children = Object.entries(attributes).map(([key, value]) => leaf(key, 'attribute', value));
    open.push({ name, children, left: 0 });
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed !== undefined) add(elementOf(closed.name, closed.children, closed.left));
  });
  parser.write(text.toWellFormed()).close();
  return isWellFormed ? root.children : null;
}

function elementOf(name: string, children: readonly TreeNode[], left: number): TreeNode {
  const [only] = children;
  // Shows `<a>text</a>` in one row.
  if (children.length === 1 && only?.kind === 'text') return leaf(name, 'element', only.text);
  const all = left === 0 ? children : [...children, moreNode(left)];
  return { name, kind: 'element', text: '', count: children.length + left, children: () => all };
}
