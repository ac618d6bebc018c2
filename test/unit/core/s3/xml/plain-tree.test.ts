import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithLibrary, XmlElement } from '../../../../../electron/core/s3/xml/parse.ts';
import { readPlainTree } from '../../../../../electron/core/s3/xml/plain-tree.ts';
import { escapeXml, fitsXml } from '../../../../../electron/core/s3/xml/render.ts';

const names = ['Key', 'Contents', 'Size', 'A', 'Owner'] as const;

interface Tree {
  readonly name: string;
  readonly content: string | readonly Tree[];
}

const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; branch: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('branch')),
  leaf: fc.record({
    name: fc.constantFrom(...names),
    content: fc.string({ unit: 'binary', maxLength: 12 }).filter(fitsXml),
  }),
  branch: fc.record({
    name: fc.constantFrom(...names),
    content: fc.array(tie('tree'), { minLength: 1, maxLength: 5 }),
  }),
}));

function render({ name, content }: Tree): string {
  const inner = typeof content === 'string' ? escapeXml(content) : content.map(render).join('');
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`;
}

/** Returns all values of an element that the schemas can read. */
function seen(element: XmlElement): unknown {
  const children = names.flatMap((name) => element.all(name).map((child) => [name, seen(child)]));
  return children.length > 0 ? children : element.text;
}

function plainly(text: string): XmlElement | null {
  const plain = readPlainTree(text);
  return plain === null ? null : new XmlElement(plain.name, plain.content);
}

describe('the fast XML reader', () => {
  it('reads what services send into the same tree as the library', () => {
    fc.assert(
      fc.property(tree, (root) => {
        const text = `<?xml version="1.0" encoding="UTF-8"?>\n<R xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${render(root)}</R>`;
        const plain = plainly(text);
        expect(plain).not.toBeNull();
        expect(plain?.name).toBe('R');
        expect(plain === null ? null : seen(plain)).toEqual(seen(parseWithLibrary(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('never accepts a damaged document that the library reads differently', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '&',
      ';',
      '<Key>',
      '</Key>',
      '<!--',
      ']]>',
      '<A b="c">',
      '&amp',
      ' ',
      'x',
      '\u00a0',
      '\ufeff',
      '<?pi?>',
      '<!-- c -->',
      '<![CDATA[y]]>',
      '<x:A>',
      '<constructor>',
    );
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat({ max: 8 }), piece, (root, at, dropped, inserted) => {
        const whole = `<R>${render(root)}</R>`;
        const position = at % whole.length;
        const text = whole.slice(0, position) + inserted + whole.slice(position + dropped);
        const plain = plainly(text);
        fc.pre(plain !== null);
        expect(plain === null ? null : seen(plain)).toEqual(seen(parseWithLibrary(text)));
      }),
      { numRuns: 500, maxSkipsPerRun: 1000 },
    );
  });

  it.each([
    '<R xmlns="a>b"><Key>1</Key></R>',
    '<R xmlns:xsi="x"><Key>]]></Key></R>',
    '<R><Key>a > b</Key><Key/></R>\n',
    '<?xml version="1.1" encoding="ISO-8859-1" standalone="yes"?>\n<R><Key> \t&#13;&#10;\u0085\u00a0</Key></R>',
    '<R><Key>\u0000\u0001</Key></R>',
  ])('reads %j into the same tree as the library', (text) => {
    const plain = plainly(text);
    expect(plain).not.toBeNull();
    expect(plain === null ? null : seen(plain)).toEqual(seen(parseWithLibrary(text)));
  });

  it.each([
    '<R><K>a</K>',
    '<R><K>a</R></K>',
    '<R></R><R></R>',
    '<R></R>x',
    '<R>x<K/></R>',
    '<R><K>&nbsp;</K></R>',
    '<R><K>a&b</K></R>',
    '<!DOCTYPE R><R/>',
    '<R><!-- c --></R>',
    '<R><![CDATA[a]]></R>',
    '<R><K a="b">c</K></R>',
    '<s:R><K/></s:R>',
    '<R><K>a\r\nb</K></R>',
    '<R><constructor/></R>',
    '<R><toString>a</toString></R>',
    '<R><prototype/></R>',
    '<hasOwnProperty><K/></hasOwnProperty>',
    '<R></R>\u00a0',
    '<R></R>\ufeff',
    '<R>\u000b<K/></R>',
    '<?xml versio="1.0"?><R><K/></R>',
    '<?xml version="1.0\'?><R><K/></R>',
    '<R><?pi?></R>',
    '<R>',
    'R',
    '',
  ])('leaves %j to the library', (text) => {
    expect(readPlainTree(text)).toBeNull();
  });
});
