import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');
const saysSo = /\b(?:Throws|Rejects|throws)\b/u;

interface Body {
  readonly isAsync: boolean;
  readonly throws: boolean;
  /** The ids of functions and private methods that the function calls, in this file or imported ones. */
  readonly calls: readonly string[];
}

interface OpenName {
  /** `file#name`. */
  readonly id: string;
  readonly isDocumented: boolean;
}

interface ReadFile {
  readonly bodies: ReadonlyMap<string, Body>;
  /** The exported functions, and the public methods of exported classes. */
  readonly open: readonly OpenName[];
}

/**
 * Returns exported functions and public methods of exported classes that throw an error, directly or through a function that they
 * call, without documenting it. Methods of objects passed to them are not followed.
 */
function undocumentedThrows(sources: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(sources).map(([file, source]) => readFile(file, source));
  const bodies = new Map(files.flatMap((file) => [...file.bodies]));
  const throwing = new Set([...bodies].filter(([, { throws }]) => throws).map(([id]) => id));
  // A constructor cannot await the error of an async method.
  const mayWait = (id: string, called: string): boolean =>
    !(id.endsWith('.constructor') && bodies.get(called)?.isAsync === true);
  for (let before = -1; before !== throwing.size;) {
    before = throwing.size;
    for (const [id, { calls }] of bodies)
      if (calls.some((called) => throwing.has(called) && mayWait(id, called))) throwing.add(id);
  }
  return files.flatMap(({ open }) =>
    open.filter(({ id, isDocumented }) => throwing.has(id) && !isDocumented).map(({ id }) => id),
  );
}

function readFile(file: string, source: string): ReadFile {
  const { program, comments } = parseSync(file, source);
  const bodies = new Map<string, Body>();
  const open: OpenName[] = [];
  const imported = importedFunctions(file, program);
  const idOf = (name: string): string => imported.get(name) ?? `${file}#${name}`;
  const isDocumented = (start: number): boolean => {
    const doc = comments.findLast(
      ({ type, end }) =>
        type === 'Block' &&
        end <= start &&
        source
          .slice(end, start)
          .replaceAll(/\/\/.*/gu, '')
          .trim() === '',
    );
    return doc !== undefined && saysSo.test(doc.value);
  };
  const add = (name: string, start: number, declared: ESTree.Function, isOpen: boolean): void => {
    if (declared.body === null) return;
    const id = `${file}#${name}`;
    const { throws, calls } = readBody(declared.body);
    bodies.set(id, { isAsync: declared.async, throws, calls: calls.map(idOf) });
    if (isOpen) open.push({ id, isDocumented: isDocumented(start) });
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
  return { bodies, open };
}

/** Returns the ids of functions that a file imports from other files of the project, by their local names. */
function importedFunctions(file: string, { body }: ESTree.Program): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('.')) continue;
    const from = path.posix.join(path.posix.dirname(file), statement.source.value);
    for (const specifier of statement.specifiers)
      if (specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier')
        found.set(specifier.local.name, `${from}#${specifier.imported.name}`);
  }
  return found;
}

/** Reads what a function throws and calls, outside of inner functions and `try`. Rethrowing a caught value needs no documentation. */
function readBody(body: ESTree.Node): Omit<Body, 'isAsync'> {
  let depth = 0;
  let tries = 0;
  let throws = false;
  const calls: string[] = [];
  /** The calls whose promise is dropped, so that their errors do not reach the caller. */
  const dropped = new Set<ESTree.Node>();
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
    UnaryExpression: ({ operator, argument }) => void (operator === 'void' && dropped.add(argument)),
    ThrowStatement: ({ argument }) => {
      if (depth === 0 && argument.type !== 'Identifier' && argument.type !== 'MemberExpression')
        throws ||= argument.type !== 'NewExpression' || !isBuiltIn(argument.callee);
    },
    CallExpression: (call) => {
      const { callee } = call;
      if (depth > 0 || tries > 0 || dropped.has(call)) return;
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
  const sources = files.map((file) => [file, readFileSync(path.join(repository, file), 'utf8')] as const);
  expect(undocumentedThrows(Object.fromEntries(sources))).toEqual([]);
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
  expect(undocumentedThrows({ 'example.ts': source })).toHaveLength(count);
});

test('an error of an imported function counts for its callers, unless they drop its promise', () => {
  const undocumented = undocumentedThrows({
    'a/inner.ts':
      '/** Throws `AppError`. */\nexport async function inner(): Promise<void> { throw failure(1); }',
    'b/outer.ts': [
      "import { inner as work } from '../a/inner.ts';",
      'export async function waits(): Promise<void> { await work(); }',
      'export function drops(): void { void work(); }',
      'export async function catches(): Promise<void> { try { await work(); } catch { return; } }',
    ].join('\n'),
  });
  expect(undocumented).toEqual(['b/outer.ts#waits']);
});
