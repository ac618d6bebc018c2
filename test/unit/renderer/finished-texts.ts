import { isNode, lineOf, nameOf, parsed, visit, type Node } from './syntax.ts';

/** The functions that show a notice, or pass a text on to one. */
const showing = new Set([
  'showNotice',
  'updateNotice',
  'showStartedNotice',
  'sayFailure',
  'useFailureToast',
  'copyAndSay',
]);
const shownProperties = new Set(['title', 'message', 'label']);

/**
 * Returns, as `line: text`, the notices whose text is translated too early and would keep its language. A notice's text must be
 * a function that gets all its words from its parameter `say`.
 */
export function finishedTextsIn(file: string, source: string): readonly string[] {
  const program = parsed(file, source);
  const found = new Set<string>();
  const finished = finishedNames(program);
  const check = (text: Node): void => {
    if (!isFunction(text)) return;
    const names = namesIn(text['body']);
    const tell = (problem: string): void => {
      found.add(`${lineOf(text, source)}: ${problem}`);
    };
    if (!isOfSay(text) || !names.has('say')) tell('is no function of say');
    for (const name of names) if (name === 't' || finished.has(name)) tell(`has the finished text ${name}`);
  };
  visit(program, (node) => {
    if (isFunction(node) && isOfSay(node)) check(node);
    if (node.type === 'VariableDeclarator' && isSay(node['id'])) check(node['init'] as Node);
    if (node.type !== 'CallExpression' || !showing.has(nameOf(node['callee']))) return;
    for (const argument of node['arguments'] as readonly Node[]) {
      check(argument);
      visit(argument, (inner) => {
        if (inner.type === 'Property' && shownProperties.has(nameOf(inner['key'])))
          check(inner['value'] as Node);
      });
    }
  });
  return [...found];
}

/** Returns the constants created with `t`, whose language is fixed at that moment. */
function finishedNames(program: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node['init']) || isFunction(node['init'])) return;
    // An awaited value is a reply of the core.
    if (node['init'].type === 'AwaitExpression') return;
    let usesT = false;
    visit(node['init'], (inner) => {
      if (inner.type !== 'CallExpression') return;
      const parts = [inner['callee'], ...(inner['arguments'] as readonly unknown[])];
      usesT ||= parts.some((part) => nameOf(part) === 't');
    });
    if (usesT) for (const name of namesIn(node['id'])) names.add(name);
  });
  return names;
}

function isFunction(node: Node): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

function isOfSay(node: Node): boolean {
  const [only, ...others] = node['params'] as readonly Node[];
  return others.length === 0 && only !== undefined && nameOf(only) === 'say';
}

/** Returns true if the identifier is annotated with the type `Say`, as in `name: Say`. */
function isSay(id: unknown): boolean {
  if (!isNode(id)) return false;
  let isOne = false;
  visit(id['typeAnnotation'], (node) => {
    isOne ||= node.type === 'TSTypeReference' && nameOf(node['typeName']) === 'Say';
  });
  return isOne;
}

/** Returns the variables that are read, not the names of properties. */
function namesIn(node: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const see = (inner: unknown): void => {
    if (Array.isArray(inner)) inner.forEach(see);
    if (!isNode(inner)) return;
    if (inner.type === 'Identifier') names.add(nameOf(inner));
    for (const [key, value] of Object.entries(inner)) {
      const isName = (key === 'property' || key === 'key') && inner['computed'] !== true;
      if (!isName && typeof value === 'object') see(value);
    }
  };
  see(node);
  return names;
}
