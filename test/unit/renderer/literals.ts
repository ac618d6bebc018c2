import { lineOf, nameOf, parsed, visit, type Node } from './syntax.ts';

/** The attributes, and properties of the same names, whose text users read or hear. */
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

/** Returns texts for users that are written in the code instead of a catalogue: `line: text`. */
export function literalsIn(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const tell = (node: Node, text: string): void => {
    if (/\p{L}/u.test(text)) found.push(`${lineOf(node, source)}: ${text.trim()}`);
  };
  visit(parsed(file, source), (node) => {
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

/** Reports the strings to which an expression may evaluate, except arguments of functions, since `t('…')` is one. */
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
