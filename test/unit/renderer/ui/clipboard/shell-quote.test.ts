import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuoted } from '../../../../../renderer/ui/clipboard/shell-quote.ts';

const argument = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', ' ', '*', ';', '&', '|', '#', '~', '-', 'a'),
    }),
  )
  .map((text) => text.replaceAll('\0', ''));

test('a POSIX shell hands on exactly what was quoted', () => {
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 40 }), (texts) => {
      const line = texts.map((text) => shellQuoted(text, 'linux')).join(' ');
      const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`]).toString('utf8');
      expect(printed.split('\0').slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 60 },
  );
});

test('in PowerShell each quote is doubled, the typographic ones too, and the text ends where the line does', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '‘', '’', '‚', '‛', '$', '`', 'a', ' ') }), (text) => {
      const quoted = shellQuoted(text, 'win32');
      const inside = quoted.slice(1, -1);
      expect(quoted).toBe(`'${inside}'`);
      // What PowerShell reads: two quotes of any kind in a row are the first of them.
      expect(inside.replaceAll(/([\u2018-\u201B'])[\u2018-\u201B']/gu, '$1')).toBe(text);
    }),
  );
});
