import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');

/** Names that say nothing about their thing, unlike `entry`, `reply`, `lastStatus` or `inFlight`. */
const nicknames = new Set(['own', 'one', 'taken', 'what', 'most', 'fewest']);
/** Words that are also refused as a part of a name. A limit begins with `max` or `min` instead. */
const nicknameWords = /\b(?:told|said|met|came|under way)\b|^(?:most|fewest) /u;

/** Keys that stay because records on disk have them. */
const persisted: Readonly<Record<string, readonly string[]>> = {
  'electron/core/batches/batch-job.ts': ['told'],
  'electron/core/transfers/items/operation-record.ts': ['what'],
  'shared/error-schema.ts': ['what'],
};

function isNickname(name: string): boolean {
  return nicknames.has(name) || nicknameWords.test(name.replaceAll(/[A-Z]/gu, ' $&').toLowerCase().trim());
}

/** Returns the names that a pattern binds. */
function boundNames(pattern: ESTree.Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'Property' ? property.value : property.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'TSParameterProperty':
      return boundNames(pattern.parameter);
    default:
      return [];
  }
}

function keyName(key: ESTree.Node): readonly string[] {
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier' ? [key.name] : [];
}

/** Returns the nicknames among the names that a source declares: variables, parameters, functions, types, properties, schema keys. */
function declaredNicknames(file: string, source: string): readonly string[] {
  const names: string[] = [];
  const add = (...patterns: readonly (ESTree.Node | null)[]): void =>
    void names.push(...patterns.flatMap((pattern) => (pattern === null ? [] : boundNames(pattern))));
  const addKey = ({ key }: { readonly key: ESTree.Node }): void => void names.push(...keyName(key));
  const addFunction = (declared: ESTree.Function | ESTree.ArrowFunctionExpression): void =>
    add(declared.id, ...declared.params);
  new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TSFunctionType: ({ params }) => add(...params),
    ClassDeclaration: ({ id }) => add(id),
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    TSPropertySignature: addKey,
    TSMethodSignature: (method) => {
      addKey(method);
      add(...method.params);
    },
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    Property: (property) => {
      const text = source.slice(property.value.start, property.value.start + 2);
      if (text === 'z.') addKey(property);
    },
  }).visit(parseSync(file, source).program);
  return names.filter(isNickname);
}

const files = globSync('{electron,renderer,shared,bin,build,test}/**/*.{ts,tsx,mjs}', { cwd: repository })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'shared/messages/english.ts');

/** The time limit in ms for parsing all sources, which takes seconds of processor time that other programs may share. */
const parsingMs = 120_000;

test('no declared name is a nickname, except for the keys of records on disk', { timeout: parsingMs }, () => {
  expect(files.length).toBeGreaterThan(1000);
  const found = Object.fromEntries(
    files
      .map(
        (file) => [file, declaredNicknames(file, readFileSync(path.join(repository, file), 'utf8'))] as const,
      )
      .filter(([, names]) => names.length > 0),
  );
  expect(found).toEqual(persisted);
});

test('no file name has a nickname among its words', () => {
  const words = new Set([...nicknames, 'told', 'said', 'met', 'came']);
  expect(
    files.filter((file) =>
      path.posix
        .basename(file)
        .split(/[-.]/u)
        .some((word) => words.has(word)),
    ),
  ).toEqual([]);
});

test.each([
  ['const own = 1;', ['own']],
  ['for (const [index, one] of entries) use(one, index);', ['one']],
  ['entries.map((one) => one.id);', ['one']],
  ['const { what: proof, ...taken } = difference;', ['taken']],
  ['interface Limits { readonly mostBytes: number; readonly fewest: number }', ['mostBytes', 'fewest']],
  ['class Pool { #readsUnderWay = 0; constructor(most: number) {} }', ['readsUnderWay', 'most']],
  ['type ToldParts = (told: number) => void;', ['ToldParts', 'told']],
  ['const record = z.object({ what: z.string() });', ['what']],
  ['function announce({ said = 1 }, toldBytes) {}', ['said', 'toldBytes']],
  ['const cleanup = { what: 1 }; const almost = 2; const takenAt = 3; const becameIdle = 4;', []],
])('the names of %s are %j', (source, expected) => {
  expect(declaredNicknames('a.ts', source).toSorted()).toEqual([...expected].toSorted());
});
