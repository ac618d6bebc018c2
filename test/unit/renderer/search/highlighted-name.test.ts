import { expect, test } from 'vitest';
import { positionOfText } from '../../../../renderer/features/search/highlighted-name.tsx';

test('the found text is located in any case, unless case matters', () => {
  expect(positionOfText('Annual-Report.pdf', 'report', false)).toBe(7);
  expect(positionOfText('Annual-Report.pdf', 'report', true)).toBe(-1);
  expect(positionOfText('Отчёт.docx', 'ОТЧЁТ', false)).toBe(0);
});

test('a name whose letters fold to more units is not highlighted at a wrong place', () => {
  expect(positionOfText('İstanbul.txt', 'stanbul', false)).toBe(-1);
});
