import { afterEach, expect, test } from 'vitest';
import { setLanguage, text } from '../../../electron/host/text.ts';

afterEach(() => {
  setLanguage('en', []);
});

test("the host's texts follow the system's language or the setting at once", () => {
  expect(text('menuFile')).toBe('File');
  expect(setLanguage('system', ['ru-RU'])).toBe(true);
  expect(text('menuFile')).toBe('Файл');
  expect(setLanguage('ru', ['en-GB'])).toBe(false);
  expect(setLanguage('en', ['ru-RU'])).toBe(true);
  expect(text('menuFile')).toBe('File');
});

test('the number of running transfers uses the plural form of its language', () => {
  setLanguage('ru', []);
  expect([1, 3, 5, 21].map((count) => text('quitMessage', { count }))).toEqual([
    'Идёт 1 передача.',
    'Идут 3 передачи.',
    'Идёт 5 передач.',
    'Идёт 21 передача.',
  ]);
});
