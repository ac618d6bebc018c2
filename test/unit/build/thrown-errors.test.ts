import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');
const saysSo = /\b(?:Throws|Rejects|throws)\b/u;

/** Returns exported functions and public methods of exported classes that throw an error themselves and do not document it. */
function undocumentedThrows(file: string, source: string): readonly string[] {
  const { program, comments } = parseSync(file, source);
  const found: string[] = [];
  const check = (name: string, start: number, body: ESTree.Node): void => {
    if (!throwsItself(body)) return;
    const doc = comments.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
    if (doc === undefined || !saysSo.test(doc.value)) found.push(`${file}: ${name}`);
  };
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration, start } = statement;
    if (declaration?.type === 'FunctionDeclaration' && declaration.body !== null)
      check(declaration.id?.name ?? '', start, declaration.body);
    if (declaration?.type !== 'ClassDeclaration') continue;
    for (const member of declaration.body.body) {
      if (member.type !== 'MethodDefinition' || member.value.body === null) continue;
      if (member.key.type !== 'Identifier' || member.accessibility === 'private') continue;
      check(`${declaration.id?.name ?? ''}.${member.key.name}`, member.start, member.value.body);
    }
  }
  return found;
}

/** Returns true for `throw makesError(…)` outside of inner functions. Rethrowing a caught value needs no documentation. */
function throwsItself(body: ESTree.Node): boolean {
  let depth = 0;
  let throws = false;
  const enter = (): void => void (depth += 1);
  const leave = (): void => void (depth -= 1);
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    ThrowStatement: ({ argument }) => {
      if (depth === 0 && argument.type !== 'Identifier' && argument.type !== 'MemberExpression')
        throws ||= argument.type !== 'NewExpression' || !isBuiltIn(argument.callee);
    },
  }).visit({
    type: 'Program',
    sourceType: 'module',
    hashbang: null,
    body: [body as ESTree.Statement],
    start: 0,
    end: 0,
  });
  return throws;
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
])('%s has %i undocumented errors', (source, count) => {
  expect(undocumentedThrows('example.ts', source)).toHaveLength(count);
});
