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

describe('the document and its cases', () => {
  test('each id is in the document once, and no case replaces another', () => {
    const ids = claims.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(parts.reduce((sum, part) => sum + Object.keys(part).length, 0)).toBe(Object.keys(cases).length);
  });

  test('each line that states something bears an id', () => {
    expect(unmarkedLines(documentText)).toEqual([]);
  });

  test('each claim has a case, and each case a claim', () => {
    const ids = claims.map(({ id }) => id);
    expect(ids.filter((id) => cases[id] === undefined)).toEqual([]);
    expect(Object.keys(cases).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('a line without an id and an id without a case are found', () => {
    const text = '- one [1-1]\n- two\n- three: not shown.\n\n| a |\n|---|\n| b [1-2] |\n| c |\n';
    expect(claimsOf(text)).toEqual([
      { id: '1-1', text: 'one' },
      { id: '1-2', text: 'b' },
    ]);
    expect(unmarkedLines(text)).toEqual(['- two', '| c |']);
  });
});

describe('the service holds to the document', () => {
  test.each(claims.map(({ id, text }): [string, string] => [id, text]))('[%s] %s', async (id) => {
    const holds = cases[id];
    if (holds === undefined) throw new Error(`The claim ${id} has no case.`);
    await expect(holds()).resolves.toBeUndefined();
  });
});
