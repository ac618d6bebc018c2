import { pdfOf } from '../../../electron/service/samples/sample-files.ts';
import { deflateSync } from 'node:zlib';

const elsewhere = 'http://127.0.0.1:9/seen';
const script = '<script>MARK()</script><img src=x onerror=MARK()>';

/** Returns documents that try to run code, send requests or expand, are deeply nested, or are damaged. `MARK()` must not run. */
export function hostileDocuments(): Readonly<Record<string, string | Uint8Array>> {
  return { ...texts(), ...json(), ...yaml(), ...xml(), ...tables(), ...markdown(), ...pdf() };
}

function texts(): Readonly<Record<string, string | Uint8Array>> {
  return {
    'controls.log': `\u001b[2J\u001b]0;owned\u0007\u202Eevil\u202C\u0000${script}\n`.repeat(2000),
    'long-line.txt': 'x'.repeat(4_900_000),
    'longer-line.txt': Buffer.alloc(30_000_000, 'y'),
    'noise.txt': Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 5)) & 255)),
    'page.html': `<!DOCTYPE html><meta http-equiv=refresh content="0;url=${elsewhere}">${script}`,
    'surrogates.txt': Buffer.from('eda080edb080f4908080c0af', 'hex'),
  };
}

function json(): Readonly<Record<string, string | Uint8Array>> {
  return {
    'cut.json': '{"a": [1, 2, {"b": "c',
    'deep.json': '['.repeat(100_000) + ']'.repeat(100_000),
    'deep-names.json': `${'{"__proto__":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'long-number.json': `[${'9'.repeat(500_000)}]`,
    'long-text.json': `{"a":"${'\\"'.repeat(400_000)}"}`,
    'markup.json': JSON.stringify({ [script]: script, constructor: 1, toString: null }),
    'open.json': '['.repeat(2_000_000),
    'deep.jsonl': `${'['.repeat(50_000)}${']'.repeat(50_000)}\n`.repeat(5),
    'one-line.jsonl': Buffer.alloc(40_000_000, '{'),
  };
}

function yaml(): Readonly<Record<string, string | Uint8Array>> {
  const names = 'abcdefghij';
  const bomb = Array.from(names, (name, at) => {
    const before = names[at - 1];
    const values = before === undefined ? '"lol"' : `*${before}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => values).join(',')}]`;
  }).join('\n');
  return {
    'aliases.yaml': bomb,
    'deep.yaml': '['.repeat(100_000),
    'deep-lists.yaml': `${'- '.repeat(10_000)}1\n`,
    'merge.yaml': `${bomb.replaceAll(/\[(.*)\]/g, '{<<: [$1]}')}\n`,
    'questions.yaml': '? '.repeat(10_000),
    'tags.yaml': `a: !!js/function "function(){MARK()}"\nb: !!python/object/apply:os.system ["id"]\nc: "${script}"\n`,
  };
}

function xml(): Readonly<Record<string, string | Uint8Array>> {
  const laughs = Array.from(
    { length: 10 },
    (_, at) =>
      `<!ENTITY l${String(at + 1)} "${at === 0 ? 'ha' : `&l${String(at)};`}${`&l${String(at)};`.repeat(9)}">`,
  ).join('');
  return {
    'cut.xml': '<a><b c="d"><e>',
    'deep.xml': '<a>'.repeat(100_000) + '</a>'.repeat(100_000),
    'entities.xml': `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l10;</a>`,
    'external.xml': `<?xml-stylesheet href="${elsewhere}.xsl"?><!DOCTYPE a SYSTEM "${elsewhere}.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]><a xmlns:xi="http://www.w3.org/2001/XInclude">&x;<xi:include href="${elsewhere}"/></a>`,
    'markup.xml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>MARK()</script><img src="x" onerror="MARK()"/></html>`,
    'names.xml': `<a ${Array.from({ length: 50_000 }, (_, at) => `n${String(at)}="1"`).join(' ')}/>`,
    'opened-comment.xml': `<a>${'<!-- '.repeat(200_000)}`,
    'properties.xml': '<__proto__ constructor="1" __proto__="2"><toString/></__proto__>',
  };
}

function tables(): Readonly<Record<string, string | Uint8Array>> {
  return {
    'columns.csv': `${Array.from({ length: 100_000 }, (_, at) => `c${String(at)}`).join(',')}\n${'1,'.repeat(100_000)}\n`,
    'formulas.csv': `a,b\n"=cmd|' /C calc'!A0","${script.replaceAll('"', '""')}"\n`,
    'one-line.csv': Buffer.alloc(40_000_000, 'z'),
    'open-quote.csv': Buffer.concat([Buffer.from('a,b\n"'), Buffer.alloc(40_000_000, ',\n')]),
    'separators.tsv': Buffer.alloc(10_000_000, '\t'),
    'zeros.csv': Buffer.alloc(1_000_000),
  };
}

function markdown(): Readonly<Record<string, string | Uint8Array>> {
  return {
    'emphasis.md': '*a_ '.repeat(50_000),
    'entities.md': [
      'The first line.',
      '[a](&#106;avascript:MARK()) [b](java&Tab;script:MARK()) [c](data:text/html;base64,PHNjcmlwdD5NQVJLKCk8L3NjcmlwdD4=)',
      `<meta http-equiv="refresh" content="0;url=${elsewhere}"> ![a](${elsewhere} "t") ![b](//127.0.0.1:9/b)`,
      `[c]: javascript:MARK()\n[c] <${elsewhere}> <iframe srcdoc="${script}"></iframe>`,
    ].join('\n\n'),
    'fences.md': '`'.repeat(200_000),
    'links.md': '['.repeat(50_000),
    'lists.md': Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
    'pictures.md': '![a](missing.png)\n'.repeat(10_000),
    'tables.md': `${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${`${'|b'.repeat(5000)}\n`.repeat(20)}`,
  };
}

function pdf(): Readonly<Record<string, Uint8Array>> {
  const plain = pdfOf([{ title: 'Plain', lines: ['one', 'two'] }]).toString('latin1');
  const bomb = deflateSync(Buffer.alloc(300_000_000, ' '));
  return {
    'bomb.pdf': Buffer.concat([
      Buffer.from(
        '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
          '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>\nendobj\n' +
          `4 0 obj\n<</Length ${String(bomb.byteLength)}/Filter/FlateDecode>>\nstream\n`,
        'latin1',
      ),
      bomb,
      Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n', 'latin1'),
    ]),
    'circle.pdf': Buffer.from(plain.replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1'),
    'count.pdf': Buffer.from(plain.replace('/Count 1', '/Count 900000000'), 'latin1'),
    'cut.pdf': Buffer.from(plain.slice(0, 400), 'latin1'),
    'vast.pdf': Buffer.from(plain.replace('[0 0 595 842]', '[0 0 9e9 9e9]'), 'latin1'),
  };
}
