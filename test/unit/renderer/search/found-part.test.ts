import { expect, test } from 'vitest';
import { foundPart } from '../../../../renderer/features/search/found-part.ts';

test('the found text is located in any case, unless case matters', () => {
  expect(foundPart('Annual-Report.pdf', 'report', false)?.at ?? -1).toBe(7);
  expect(foundPart('Annual-Report.pdf', 'report', true)?.at ?? -1).toBe(-1);
  expect(foundPart('Отчёт.docx', 'ОТЧЁТ', false)?.at ?? -1).toBe(0);
});

test('a name whose letters fold to more units is not highlighted at a wrong place', () => {
  expect(foundPart('İstanbul.txt', 'stanbul', false)?.at ?? -1).toBe(-1);
});
