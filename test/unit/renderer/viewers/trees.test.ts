import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine } from '../../../../renderer/features/viewers/tree/json-lines.ts';
import { jsonTree } from '../../../../renderer/features/viewers/tree/json-tree.ts';
import {
  openedTree,
  pathTo,
  treeRowsOf,
  stepOf,
  toggleExpanded,
  leaf,
  maxChildren,
  type TreeNode,
} from '../../../../renderer/features/viewers/tree/tree-node.ts';
import { plainTree, treeOf } from '../../../../renderer/features/viewers/tree/document-messages.ts';
import { xmlTree } from '../../../../renderer/features/viewers/tree/xml-tree.ts';
import { yamlTrees } from '../../../../renderer/features/viewers/tree/yaml-tree.ts';

type Outline = readonly [string, string, ...Outline[]] | string;

/** Returns `name: text` for a leaf, or the name and kind with the outlines of its children. */
function outline(node: TreeNode): Outline {
  const inside = node.children();
  if (node.kind === 'more') return `… ${String(node.count)}`;
  if (inside.length === 0) return `${node.name}: ${node.text === '' ? node.kind : node.text}`;
  return [node.name, node.kind, ...inside.map(outline)];
}

function json(text: string): TreeNode {
  const tree = jsonTree(text);
  if (tree === null) throw new Error('This is no JSON.');
  return tree;
}

test('JSON values are shown as written, with repeated names', () => {
  const text = '{"a":10.0,"a":1e5,"b\\u0041":[12345678901234567890, "x\\"y,]}", true, {}, [ ]], "":null}';
  expect(outline(json(text))).toEqual([
    '',
    'object',
    'a: 10.0',
    'a: 1e5',
    ['bA', 'array', '0: 12345678901234567890', '1: "x\\"y,]}"', '2: true', '3: object', '4: array'],
    ': null',
  ]);
});

test('the JSON tree equals what JSON.parse returns', () => {
  const valueOf = (node: TreeNode): unknown => {
    if (node.kind === 'object')
      return Object.fromEntries(node.children().map((child) => [child.name, valueOf(child)]));
    if (node.kind === 'array') return node.children().map(valueOf);
    return JSON.parse(node.text);
  };
  fc.assert(
    fc.property(fc.json({ maxDepth: 4, stringUnit: 'binary' }), fc.nat(3), (text, indent) => {
      const written = JSON.stringify(JSON.parse(text), null, indent);
      expect(JSON.stringify(valueOf(json(written)))).toBe(JSON.stringify(JSON.parse(written)));
    }),
  );
});

test('text that is not JSON has no tree', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tree = jsonTree(text);
      if (tree !== null) JSON.parse(text);
    }),
  );
  expect(jsonTree('{"a":1')).toBeNull();
});

test('a list of a million elements, and very deep nesting, open at once', () => {
  const wide = json(`[${'1,'.repeat(999_999)}1]`);
  expect(wide.count).toBe(1_000_000);
  const children = wide.children();
  expect(children).toHaveLength(maxChildren + 1);
  expect(children.at(-1)).toMatchObject({ kind: 'more', count: 1_000_000 - maxChildren });
  const deep = jsonTree('['.repeat(100_000) + ']'.repeat(100_000));
  let node = deep;
  for (let level = 0; node !== null && level < 50; level += 1) node = node.children()[0] ?? null;
  expect(node).not.toBeNull();
});

test('a line that is not JSON is shown as text beside the others', () => {
  const lines = ['{"a":1}', 'not json', '[1', '12.50'].map((text, at) =>
    jsonLine({ text, isCut: false }, at),
  );
  expect(lines.map(outline)).toEqual([
    ['1', 'object', 'a: 1'],
    '2: not json',
    ['3', 'array', ': [1'],
    '4: 12.50',
  ]);
});

test('YAML numbers are shown as written, aliases as aliases, and every document', () => {
  const trees = yamlTrees('a: &x [1.50, 0x1F, yes]\nb: *x\nc:\n---\n- "q"\n') ?? [];
  expect(trees.map(outline)).toEqual([
    ['0', 'object', ['a', 'array', '0: 1.50', '1: 0x1F', '2: yes'], 'b: *x', 'c: word'],
    ['1', 'array', '0: q'],
  ]);
});

test('a YAML alias bomb is not expanded', () => {
  const levels = Array.from(
    { length: 40 },
    (_, at) => `a${String(at + 1)}: &a${String(at + 1)} [${`*a${String(at)},`.repeat(9)}]`,
  );
  const trees = yamlTrees(`a0: &a0 [x,x]\n${levels.join('\n')}\n`) ?? [];
  expect(trees[0]?.children()).toHaveLength(41);
});

test('XML is shown in order with attributes and text, without resolving entities', () => {
  const text =
    '<?xml version="1.0"?><a id="1&amp;2"><!-- note --><b>007</b>t&#x263a;&#0;<b x="1"/><![CDATA[<raw>]]>&other;</a>';
  expect(
    xmlTree(text)
      ?.filter(({ name }) => name !== '?xml')
      .map(outline),
  ).toEqual([
    [
      'a',
      'element',
      'id: 1&2',
      ': note',
      'b: 007',
      ': t☺&#0;',
      ['b', 'element', 'x: 1'],
      ': <raw>',
      ': &other;',
    ],
  ]);
});

test('XML entity bombs and file entities are not expanded', () => {
  const lol = Array.from(
    { length: 9 },
    (_, at) => `<!ENTITY l${String(at + 1)} "${`&l${String(at)};`.repeat(10)}">`,
  );
  const bomb = `<!DOCTYPE a [<!ENTITY l0 "lol">${lol.join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&l9;&f;</a>`;
  const seen = JSON.stringify((xmlTree(bomb) ?? []).map(outline));
  expect(seen.length).toBeLessThan(2000);
  expect(seen).not.toContain('lollol');
});

test('no text makes a tree parser hang or throw', () => {
  const xml = '<a b="c"><d>e</d><!-- f --></a>';
  const yaml = 'a: [1, {b: c}]\nd: |\n  e\n? f\n: &g h\ni: *g\n';
  fc.assert(
    fc.property(
      fc.constantFrom(xml, yaml),
      fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...'<>&"[]{}:-*!|?%@\n\t \0\u{d800}'.split(''))), {
        maxLength: 8,
      }),
      (text, changes) => {
        let changed = text;
        for (const [at, sign] of changes) changed = changed.slice(0, at) + sign + changed.slice(at + 1);
        for (const tree of [...(xmlTree(changed) ?? []), ...(yamlTrees(changed) ?? [])])
          expect(outline(tree).length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 500 },
  );
});

test('nesting beyond the limit is distinguished from malformed text', () => {
  expect(() => yamlTrees('['.repeat(50_000))).not.toThrow();
  expect(() => xmlTree('<a>'.repeat(50_000) + '</a>'.repeat(50_000))).toThrow('nested too deeply');
  expect(xmlTree('<a>'.repeat(50))).toBeNull();
});

test('well-formed XML has a tree for any names and document type', () => {
  expect(
    xmlTree('<a><__proto__>1</__proto__><constructor/><toString __proto__="x"/></a>')?.map(outline),
  ).toEqual([
    ['a', 'element', '__proto__: 1', 'constructor: element', ['toString', 'element', '__proto__: x']],
  ]);
  const external = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
  expect(xmlTree(external)?.map(outline)).toEqual([
    '!DOCTYPE: a [<!ENTITY x SYSTEM "file:///etc/passwd">]',
    'a: &x;',
  ]);
});

test('YAML anchors, aliases and tags are shown', () => {
  const trees = yamlTrees('a: &x !!str 12\nb: *x\nc: &list !bag [1]\nd: !<tag:example.com,2020:t> q\n') ?? [];
  const inside = trees[0]?.children() ?? [];
  expect(inside.map(({ name, text }) => [name, text])).toEqual([
    ['a', '&x !!str 12'],
    ['b', '*x'],
    ['c', '&list !bag'],
    ['d', '!<tag:example.com,2020:t> q'],
  ]);
});

test('YAML anchors and tags of keys and of values without text are shown', () => {
  const trees = yamlTrees('&k key: &v\n!!str 1: !t ""\n? &l [a]\n: *k\n') ?? [];
  const inside = trees[0]?.children() ?? [];
  expect(inside.map(({ name, text }) => [name, text])).toEqual([
    ['&k key', '&v'],
    ['!!str 1', '!t'],
    ['&l […]', '*k'],
  ]);
});

test('tree rows open and close in place, and keyboard navigation follows', () => {
  const roots = [json('{"a":{"b":[1,2]},"c":3}')];
  const rows = openedTree(roots);
  expect(rows.map(({ node, level, isOpen }) => [node.name, level, isOpen])).toEqual([
    ['', 1, true],
    ['a', 2, true],
    ['b', 3, false],
    ['c', 2, false],
  ]);
  const opened = toggleExpanded(rows, 2);
  expect(opened.map(({ node }) => node.name)).toEqual(['', 'a', 'b', '0', '1', 'c']);
  expect(pathTo(opened, 4)).toEqual(['a', 'b', '1']);
  expect(stepOf('ArrowLeft', opened, 4)).toEqual({ kind: 'go', to: 2 });
  expect(stepOf('ArrowRight', opened, 2)).toEqual({ kind: 'go', to: 3 });
  expect(stepOf('ArrowRight', rows, 2)).toEqual({ kind: 'toggle' });
  expect(stepOf('ArrowLeft', rows, 3)).toEqual({ kind: 'go', to: 0 });
  expect(stepOf('Enter', rows, 3)).toEqual({ kind: 'none' });
  expect(toggleExpanded(opened, 0).map(({ node }) => node.name)).toEqual(['']);
  expect(
    treeRowsOf(roots[0]?.children() ?? [], 2).map(({ position, siblings }) => [position, siblings]),
  ).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

function around(inside: readonly TreeNode[]): TreeNode {
  return { ...leaf('', 'array', ''), count: inside.length, children: () => inside };
}

test('a tree survives the transfer from the worker, and a too deep or large one is not sent', () => {
  const text = '<a b="1"><!-- c --><d>e</d><f/></a>';
  const tree = xmlTree(text) ?? [];
  const plain = structuredClone(plainTree(tree));
  expect(treeOf(plain ?? []).map(outline)).toEqual(tree.map(outline));
  let deep = leaf('', 'string', '');
  for (let level = 0; level < 1500; level += 1) deep = around([deep]);
  expect(() => plainTree([deep])).toThrow(RangeError);
  const wide = around(Array<TreeNode>(300_001).fill(leaf('', 'string', '')));
  expect(() => plainTree([wide])).toThrow(RangeError);
});
