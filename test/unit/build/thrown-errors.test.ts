import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');
const saysSo = /\b(?:Throws|Rejects|throws)\b/u;

interface Body {
  readonly isAsync: boolean;
  readonly throws: boolean;
  /** The functions and private methods of the same file that it calls. */
  readonly calls: readonly string[];
}

/**
 * Returns exported functions and public methods of exported classes that throw an error, themselves or by a function or a
 * private method of the same file, and do not document it.
 */
function undocumentedThrows(file: string, source: string): readonly string[] {
  const { program, comments } = parseSync(file, source);
  const bodies = new Map<string, Body>();
  const open: { readonly name: string; readonly start: number }[] = [];
  const add = (name: string, start: number, declared: ESTree.Function, isOpen: boolean): void => {
    if (declared.body === null) return;
    bodies.set(name, { isAsync: declared.async, ...readBody(declared.body) });
    if (isOpen) open.push({ name, start });
  };
  for (const statement of program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = isExported ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration')
      add(declaration.id?.name ?? '', statement.start, declaration, isExported);
    if (declaration?.type !== 'ClassDeclaration') continue;
    const owner = declaration.id?.name ?? '';
    for (const member of declaration.body.body) {
      if (member.type !== 'MethodDefinition') continue;
      if (member.key.type === 'PrivateIdentifier')
        add(`#${member.key.name}`, member.start, member.value, false);
      else if (member.key.type === 'Identifier')
        add(
          `${owner}.${member.key.name}`,
          member.start,
          member.value,
          isExported && member.accessibility !== 'private',
        );
    }
  }
  // A constructor cannot await the error of an async method.
  const mayWait = (name: string, called: string): boolean =>
    !(name.endsWith('.constructor') && bodies.get(called)?.isAsync === true);
  const throwing = new Set([...bodies].filter(([, { throws }]) => throws).map(([name]) => name));
  for (let before = -1; before !== throwing.size;) {
    before = throwing.size;
    for (const [name, { calls }] of bodies)
      if (calls.some((called) => throwing.has(called) && mayWait(name, called))) throwing.add(name);
  }
  return open
    .filter(({ name, start }) => {
      const doc = comments.findLast(
        ({ type, end }) =>
          type === 'Block' &&
          end <= start &&
          source
            .slice(end, start)
            .replaceAll(/\/\/.*/gu, '')
            .trim() === '',
      );
      return throwing.has(name) && (doc === undefined || !saysSo.test(doc.value));
    })
    .map(({ name }) => `${file}: ${name}`);
}

/** Reads what a function throws and calls, outside of inner functions and `try`. Rethrowing a caught value needs no documentation. */
function readBody(body: ESTree.Node): Omit<Body, 'isAsync'> {
  let depth = 0;
  let tries = 0;
  let throws = false;
  const calls: string[] = [];
  const enter = (): void => void (depth += 1);
  const leave = (): void => void (depth -= 1);
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    TryStatement: ({ handler }) => void (tries += handler === null ? 0 : 1),
    'TryStatement:exit': ({ handler }) => void (tries -= handler === null ? 0 : 1),
    ThrowStatement: ({ argument }) => {
      if (depth === 0 && argument.type !== 'Identifier' && argument.type !== 'MemberExpression')
        throws ||= argument.type !== 'NewExpression' || !isBuiltIn(argument.callee);
    },
    CallExpression: ({ callee }) => {
      if (depth > 0 || tries > 0) return;
      if (callee.type === 'Identifier') calls.push(callee.name);
      if (callee.type === 'MemberExpression' && callee.property.type === 'PrivateIdentifier')
        calls.push(`#${callee.property.name}`);
    },
  }).visit({
    type: 'Program',
    sourceType: 'module',
    hashbang: null,
    body: [body as ESTree.Statement],
    start: 0,
    end: 0,
  });
  return { throws, calls };
}

/** Errors that only a mistake of the program raises. */
function isBuiltIn(callee: ESTree.Expression): boolean {
  return callee.type === 'Identifier' && ['Error', 'TypeError', 'RangeError'].includes(callee.name);
}

test('every exported function that throws an error says so in its doc comment', () => {
  const files = globSync('{electron/{core,service,host},shared}/**/*.ts', { cwd: repository });
  expect(files.length).toBeGreaterThan(500);
  const undocumented = files.flatMap((file) =>
    undocumentedThrows(file, readFileSync(path.join(repository, file), 'utf8')),
  );
  expect(undocumented).toEqual([]);
});

test.each([
  ['export function f(): void { throw failure(1); }', 1],
  ['/** Throws `AppError`. */\nexport async function f(): Promise<void> { throw failure(1); }', 0],
  ['export function f(): void { try { g(); } catch (thrown) { throw thrown; } }', 0],
  ['export const f = (): void => g(() => { throw failure(1); });', 0],
  ['export class A { take(): void { throw new AppFailure(error); } }', 1],
  ['function inner(): void { throw failure(1); }', 0],
  [
    'export function f(): void { g(); }\nfunction g(): void { h(); }\nfunction h(): void { throw failure(1); }',
    1,
  ],
  ['export function f(): void { try { g(); } catch {} }\nfunction g(): void { throw failure(1); }', 0],
  ['export class A { take(): void { this.#find(); } #find(): void { throw failure(1); } }', 1],
  [
    'export class A { /** Throws `AppError`. */ take(): void { this.#find(); } #find(): void { throw failure(1); } }',
    0,
  ],
])('%s has %i undocumented errors', (source, count) => {
  expect(undocumentedThrows('example.ts', source)).toHaveLength(count);
});
