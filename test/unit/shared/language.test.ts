import { describe, expect, test } from 'vitest';
import { languageOf, preferredOf } from '../../../shared/language.ts';

describe('the display language', () => {
  test.each([
    ['system', ['ru-RU', 'en-US'], 'ru'],
    ['system', ['tlh-001', 'ru', 'en'], 'ru'],
    ['system', ['en-GB', 'ru'], 'en'],
    ['system', ['tlh-001'], 'en'],
    ['system', ['rus', 'rue-SK'], 'en'],
    ['system', [], 'en'],
    ['system', ['RU_ru.UTF-8'], 'ru'],
    ['en', ['ru-RU'], 'en'],
    ['ru', ['en-US'], 'ru'],
  ] as const)('for the setting %s with %j preferred is %s', (setting, preferred, language) => {
    expect(languageOf(setting, preferred)).toBe(language);
  });
});

describe('the environment of a terminal', () => {
  test.each([
    [{ LANG: 'ru_RU.UTF-8' }, 'ru'],
    [{ LANG: 'ru_RU.UTF-8', LC_ALL: 'en_GB.UTF-8' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'ru_RU.UTF-8' }, 'ru'],
    [{ LANG: 'en_US.UTF-8', LANGUAGE: 'tlh:ru:en' }, 'ru'],
    [{ LANG: 'ru_RU.UTF-8', LC_ALL: '' }, 'ru'],
    [{ LANG: 'C.UTF-8', LANGUAGE: 'ru' }, 'en'],
    [{ LANG: 'POSIX' }, 'en'],
    [{}, 'en'],
  ])('with %j selects %s', (env, language) => {
    expect(languageOf('system', preferredOf(env))).toBe(language);
  });
});
