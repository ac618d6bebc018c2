import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clipboardLine,
  clipboardText,
  shellQuoted,
} from '../../../../../renderer/ui/clipboard/shell-quote.ts';

// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const active = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const plain = ["'", '"', '\\', '$', '`', '!', ' ', '*', ';', '&', '|', '#', '~', '-', 'a', '0', 'f', '7'];
const controls = [
  '\n',
  '\r',
  '\t',
  '\u0003',
  '\u0015',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u202e',
];
const paste = ['\u001b[201~', '$(touch x)', '“', '”', '‘', '’', 'é', '😀'];
const argument = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...plain) }),
    fc.string({ unit: fc.constantFrom(...plain, ...controls, ...paste) }),
  )
  .map((text) => text.replaceAll('\0', ''));

test('bash reads quoted text back byte for byte', () => {
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 40 }), (texts) => {
      const line = texts.map((text) => shellQuoted(text, 'linux')).join(' ');
      // With standard input from a socket, as Node's pipes are, bash would read the user's .bashrc first.
      const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }).toString('utf8');
      expect(printed.split('\0').slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 60 },
  );
});

test('any POSIX shell reads quoted text without control characters back', () => {
  fc.assert(
    fc.property(
      fc.array(
        argument.filter((text) => !active.test(text)),
        { maxLength: 40 },
      ),
      (texts) => {
        const line = texts.map((text) => shellQuoted(text, 'linux')).join(' ');
        const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line} end`]).toString('utf8');
        expect(printed.split('\0').slice(0, -2)).toEqual(texts);
      },
    ),
    { numRuns: 30 },
  );
});

test('text for a terminal never contains an active control character', () => {
  fc.assert(
    fc.property(argument, (text) => {
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        expect(shellQuoted(text, platform)).not.toMatch(active);
      expect(clipboardLine(text)).not.toMatch(active);
      expect(clipboardText(text).replaceAll(/[\n\t]/g, '')).not.toMatch(active);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['report\u0003\n touch PWNED #\n.txt', String.raw`$'report\003\012 touch PWNED #\012.txt'`],
  ["it's\u001b[201~\r", String.raw`$'it\'s\033[201~\015'`],
  ['a\u0085b\u202e', String.raw`$'a\302\205b\342\200\256'`],
])('control characters are written as octal bytes: %j', (text, line) => {
  expect(shellQuoted(text, 'linux')).toBe(line);
});

test('PowerShell quotes of any kind are doubled', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '‘', '’', '‚', '‛', '$', '`', 'a', ' ') }), (text) => {
      const quoted = shellQuoted(text, 'win32');
      const inside = quoted.slice(1, -1);
      expect(quoted).toBe(`'${inside}'`);
      // PowerShell treats two adjacent quotes of any kind as the first of them.
      expect(inside.replaceAll(/([\u2018-\u201B'])[\u2018-\u201B']/gu, '$1')).toBe(text);
    }),
  );
});

test('PowerShell control characters are written by number in double quotes without other expansion', () => {
  expect(shellQuoted('a\u0003$(x)`n“”"\n', 'win32')).toBe('"a$([char]0x3)`$(x)``n`“`”`"$([char]0xA)"');
  fc.assert(
    fc.property(argument, (text) => {
      const quoted = shellQuoted(`${text}\n`, 'win32');
      // Parses like PowerShell: a backtick escapes the next character, and $([char]N) is a character.
      const read = quoted
        .slice(1, -1)
        .replaceAll(
          /`(.)|\$\(\[char\]0x([0-9A-F]+)\)/gsu,
          (_, sign: string | undefined, hex: string) =>
            sign ?? String.fromCodePoint(Number.parseInt(hex, 16)),
        );
      expect(read).toBe(`${text}\n`);
    }),
  );
});

test('quoting text with U+0000 throws', () => {
  expect(() => shellQuoted('a\0', 'linux')).toThrow(RangeError);
});
