import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import englishHost from '../../../../shared/messages/en/host.json' with { type: 'json' };
import { en } from '../../../../shared/messages/en/index.ts';
import russianHost from '../../../../shared/messages/ru/host.json' with { type: 'json' };
import { ru } from '../../../../shared/messages/ru/index.ts';
import { families, flatten, placeholders } from './catalogues.ts';

const english = { ...en, host: englishHost };
const russian = { ...ru, host: russianHost };
const counts = [0, 1, 2, 5, 21];

/** Texts used only for two or more, so they need no form for one. */
const neverOne = new Set([
  'objects.menu.copyKeys',
  'properties.applyMany',
  'search.actions.copyKeys',
  'stalled.complete.titleMany',
]);

const things =
  'bucket|byte|connection|day|delete marker|entry|entries|field|file|folder|item|key|match|note|object|part|piece|record|request|result|row|second|transfer|upload|version|year';
const nounOf = (form: string): RegExp =>
  new RegExp(`${form} (?!of )(?:[a-z-]+ ){0,2}?(${things})(s|es)?\\b`, 'u');

/** The Russian forms of each noun that follows a number in the window: one, few, many. */
const russianNouns: readonly (readonly [string, string, string])[] = [
  ['часть', 'части', 'частей'],
  ['объект', 'объекта', 'объектов'],
  ['файл', 'файла', 'файлов'],
  ['загрузка', 'загрузки', 'загрузок'],
  ['элемент', 'элемента', 'элементов'],
  ['папка', 'папки', 'папок'],
  ['бакет', 'бакета', 'бакетов'],
  ['запрос', 'запроса', 'запросов'],
  ['передача', 'передачи', 'передач'],
];

/** Returns the sentences with plural forms, for several numbers, with all placeholders replaced by the number. */
async function rendered(language: string, catalogue: object): Promise<readonly [string, number, string][]> {
  const instance = createInstance();
  const t = await instance.init({
    lng: language,
    resources: { [language]: { translation: catalogue } },
    interpolation: { escapeValue: false },
  });
  return [...families(catalogue)]
    .filter(([, { forms }]) => !forms.has(''))
    .flatMap(([name, { forms }]) =>
      counts.map((count): [string, number, string] => {
        const names = [...forms.values()].flatMap((text) => placeholders(text));
        const values = Object.fromEntries(
          names.map((each) => [each.split(',', 1)[0] ?? each, String(count)]),
        );
        return [name, count, t(name, { ...values, count })];
      }),
    );
}

describe.each([
  ['en', english],
  ['ru', russian],
])('messages with a number, in %s', (language, catalogue) => {
  test('are complete for every number', async () => {
    const all = await rendered(language, catalogue);
    expect(all.length).toBeGreaterThan(300);
    const wrong = all.filter(
      ([name, , text]) => text === name || text.trim() === '' || /\{\{|NaN|undefined/u.test(text),
    );
    expect(wrong).toEqual([]);
  });
});

test('an English noun after a number is singular for one and plural otherwise', async () => {
  const all = await rendered('en', english);
  const wrong = all.filter(([, count, text]) => {
    const [, noun = '', plural] = nounOf(`(?<![\\w.,])${String(count)}`).exec(text) ?? [];
    if (noun === '') return false;
    const isPlural = plural !== undefined || noun === 'entries';
    return isPlural === (count === 1);
  });
  expect(wrong.map(([name, , text]) => `${name}: ${text}`)).toEqual([]);
});

test('English verbs and pronouns agree with the number', async () => {
  const all = await rendered('en', english);
  const known = all.filter(([, count, text]) =>
    count === 1
      ? /\b1 \w+ (?:that )?(?:are|were|have|do|need)\b/u.test(text)
      : new RegExp(`\\b${String(count)} \\w+s (?:that )?(?:is|was|has|does|needs)\\b`, 'u').test(text),
  );
  expect(known.map(([name, , text]) => `${name}: ${text}`)).toEqual([]);
});

test('a Russian noun after a number has the form the number requires', async () => {
  const rules = new Intl.PluralRules('ru');
  const all = await rendered('ru', russian);
  const wrong = all.filter(([, count, text]) => {
    const [, word = ''] =
      new RegExp(`(?<![\\p{L}\\d.,] |из |\\d)${String(count)} (\\p{Ll}+)`, 'u').exec(text) ?? [];
    const noun = russianNouns.find((forms) => forms.includes(word));
    if (noun === undefined) return false;
    const at = { one: 0, few: 1, many: 2 }[rules.select(count) as 'one' | 'few' | 'many'];
    return noun[at] !== word;
  });
  expect(wrong.map(([name, , text]) => `${name}: ${text}`)).toEqual([]);
});

test('no English message puts a number before a noun without plural forms', () => {
  const loose = flatten(english)
    .filter(([name]) => !/_(?:one|other)$/u.test(name) && !neverOne.has(name))
    .filter(([, text]) =>
      /\{\{(?:count|number|rows|shown|amount|total|loaded|keys|here|there|found|matches)[^}]*\}\} (?:[a-z-]+ ){0,2}?(?:buckets|connections|files|folders|items|keys|objects|parts|requests|results|rows|transfers|uploads|versions)\b/u.test(
        text,
      ),
    );
  expect(loose).toEqual([]);
});
