import { parseSync } from 'vite';

/** Where people read or hear what an attribute, or a property of the same name, says. */
const spoken = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'cancel',
  'confirm',
  'description',
  'error',
  'label',
  'message',
  'nothingFoundMessage',
  'placeholder',
  'suffix',
  'title',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

/** Sentences and words that people would read, written in the code itself instead of in a catalogue: `line: text`. */
export function literalsIn(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message ?? ''}`);
  const found: string[] = [];
  const tell = ({ start }: Node, text: string): void => {
    if (/\p{L}/u.test(text))
      found.push(`${String(source.slice(0, start).split('\n').length)}: ${text.trim()}`);
  };
  visit(program, (node) => {
    if (node.type === 'JSXText') tell(node, String(node['value']));
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node['children'] as readonly Node[]) {
        if (child.type === 'JSXExpressionContainer') shown(child['expression'] as Node, tell);
      }
    }
    if (node.type === 'JSXAttribute' && spoken.has(nameOf(node['name']))) {
      const value = node['value'] as Node | null;
      if (value !== null)
        shown(value.type === 'JSXExpressionContainer' ? (value['expression'] as Node) : value, tell);
    }
    if (node.type === 'Property' && spoken.has(nameOf(node['key']))) shown(node['value'] as Node, tell);
  });
  return found;
}

/** The strings that an expression may come to: not what it hands to functions, since `t('…')` is one. */
function shown(expression: Node, tell: (node: Node, text: string) => void): void {
  switch (expression.type) {
    case 'Literal':
      if (typeof expression['value'] === 'string') tell(expression, expression['value']);
      break;
    case 'TemplateLiteral':
      for (const part of expression['quasis'] as readonly { readonly value: { readonly cooked: string } }[])
        tell(expression, part.value.cooked);
      for (const inner of expression['expressions'] as readonly Node[]) shown(inner, tell);
      break;
    case 'ConditionalExpression':
      shown(expression['consequent'] as Node, tell);
      shown(expression['alternate'] as Node, tell);
      break;
    case 'LogicalExpression':
    case 'BinaryExpression':
      // In `kind === 'a'` nothing is shown.
      if (['&&', '||', '??', '+'].includes(String(expression['operator']))) {
        shown(expression['left'] as Node, tell);
        shown(expression['right'] as Node, tell);
      }
      break;
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      shown(expression['expression'] as Node, tell);
      break;
    default:
  }
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  const name = node['name'] ?? node['value'];
  return typeof name === 'string' ? name : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (isNode(node)) {
    see(node);
    for (const inner of Object.values(node)) if (typeof inner === 'object') visit(inner, see);
  }
}
