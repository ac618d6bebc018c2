import { describe, expect, test } from 'vitest';
import { claimsOf, documentText, unmarkedLines, type Cases } from './claims.ts';
import { furtherCases } from './further-cases.ts';
import { letterCases } from './letter-cases.ts';
import { listingCases } from './listing-cases.ts';
import { multipartCases } from './multipart-cases.ts';
import { responseCases } from './response-cases.ts';
import { versionCases } from './version-cases.ts';

const claims = claimsOf(documentText);
const parts: readonly Cases[] = [
  responseCases,
  listingCases,
  multipartCases,
  versionCases,
  furtherCases,
  letterCases,
];
const cases: Cases = Object.assign({}, ...parts) as Cases;

describe('the specification document and its cases', () => {
  test('contain each id once, without cases replacing each other', () => {
    const ids = claims.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(parts.reduce((sum, part) => sum + Object.keys(part).length, 0)).toBe(Object.keys(cases).length);
  });

  test('mark every line that states something with an id', () => {
    expect(unmarkedLines(documentText)).toEqual([]);
  });

  test('have a case for each claim and a claim for each case', () => {
    const ids = claims.map(({ id }) => id);
    expect(ids.filter((id) => cases[id] === undefined)).toEqual([]);
    expect(Object.keys(cases).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('are checked by a parser that finds lines without an id and ids without a case', () => {
    const text = '- one [1-1]\n- two\n- three: not shown.\n\n| a |\n|---|\n| b [1-2] |\n| c |\n';
    expect(claimsOf(text)).toEqual([
      { id: '1-1', text: 'one' },
      { id: '1-2', text: 'b' },
    ]);
    expect(unmarkedLines(text)).toEqual(['- two', '| c |']);
  });
});

describe('the sample service follows the document', () => {
  test.each(claims.map(({ id, text }): [string, string] => [id, text]))('[%s] %s', async (id) => {
    const holds = cases[id];
    if (holds === undefined) throw new Error(`The claim ${id} has no case.`);
    await expect(holds()).resolves.toBeUndefined();
  });
});
