import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { languages, type Language } from '../../../../shared/language.ts';
import englishHost from '../../../../shared/messages/en/host.json' with { type: 'json' };
import { en } from '../../../../shared/messages/en/index.ts';
import { ru } from '../../../../shared/messages/ru/index.ts';
import { hostTexts, windowTexts } from '../../../../shared/messages/translations.ts';
import { families, flatten, placeholders, type Family } from './catalogues.ts';

/** Texts that intentionally are the same as in English: names, notations, and texts of placeholders only. */
const alikeIn: Readonly<Record<Exclude<Language, 'en'>, ReadonlySet<string>>> = {
  ru: new Set([
    'common.appName',
    'viewers.encoding.names.utf-8',
    'viewers.encoding.names.utf-16le',
    'viewers.encoding.names.utf-16be',
    'buckets.settings.names.cors',
    'connectionForm.form.endpointPlaceholder',
    'connectionForm.form.proxyPlaceholder',
    'connections.openByName.placeholder',
    'objects.copyAs.aws',
    'objects.copyAs.dialog.placeholder',
    'objects.copyAs.rclone',
    'objects.columns.etag',
    'objects.details.fields.etag',
    'properties.fields.cacheControl',
    'properties.fields.contentDisposition',
    'properties.fields.contentEncoding',
    'properties.fields.contentLanguage',
    'properties.fields.expires',
    'search.placeholders.glob',
    'search.placeholders.regex',
    'jobs.conflicts.etag',
    'jobs.uploadOptions.cacheControl',
    'stalled.detail.wouldBecomeEtag',
    'stalled.parts.columns.etag',
    'stalled.typed.keyPlaceholder',
  ]),
};
/** Each language has its own name in every language. */
const namesOfLanguages = 'settings.languages.';

/** Used for exactly one, never for 21. */
const forOneAlone = new Set(['jobs.cancelDialog.title']);

const catalogues = await Promise.all(
  languages
    .filter((language) => language !== 'en')
    .map(
      async (language) =>
        [
          language,
          { ...en, host: englishHost },
          { ...(await windowTexts[language]()), host: hostTexts[language] },
        ] as const,
    ),
);

test('every language but English has window texts and host texts', () => {
  const others = languages.filter((language) => language !== 'en').toSorted();
  expect(Object.keys(windowTexts).toSorted()).toEqual(others);
  expect(Object.keys(hostTexts).toSorted()).toEqual(others);
  expect(catalogues).toHaveLength(others.length);
});

describe.each(catalogues)('the catalogue %s', (language, english, other) => {
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const texts = flatten(other);
  const alike = alikeIn[language];
  const theirs = families(english);
  const ours = families(other);
  const pairs = [...theirs].flatMap(([name, family]): [string, Family, Family][] => {
    const translated = ours.get(name);
    return translated === undefined ? [] : [[name, family, translated]];
  });

  test('has every message that English has', () => {
    expect([...theirs.keys()].filter((name) => !ours.has(name))).toEqual([]);
  });

  test('has no message that English does not have', () => {
    expect([...ours.keys()].filter((name) => !theirs.has(name))).toEqual([]);
  });

  test('has exactly the plural forms of its language', () => {
    const wrong = pairs.flatMap(([name, family, translated]) => {
      const forms = [...translated.forms.keys()].toSorted().join(' ');
      const wanted = family.forms.has('') ? '' : needed.toSorted().join(' ');
      return forms === wanted ? [] : [`${name}: “${forms}” instead of “${wanted}”`];
    });
    expect(wrong).toEqual([]);
  });

  test('uses the same values as English in each plural form', () => {
    const wrong = pairs.flatMap(([name, family, translated]) => {
      const wanted = placeholders(family.forms.get('other') ?? family.forms.get('') ?? '');
      return [...translated.forms]
        .filter(([form, text]) => {
          const used = placeholders(text);
          // “One folder” needs no path. But Russian uses the form `one` for 21 too, so every form needs the number.
          const least = form === 'one' ? placeholders(family.forms.get('one') ?? '') : wanted;
          return used.some((each) => !wanted.includes(each)) || least.some((each) => !used.includes(each));
        })
        .map(([form]) => `${name}_${form}`);
    });
    expect(wrong).toEqual([]);
  });

  test('shows the number also in the form "one", which Russian uses for 21', () => {
    const wrong = pairs
      .filter(([name]) => !forOneAlone.has(name))
      .filter(([, family, translated]) => {
        const numbers = placeholders(family.forms.get('other') ?? '').filter((each) =>
          /count|number|rows|shown|read/.test(each),
        );
        const singular = translated.forms.get('one');
        return (
          singular !== undefined &&
          numbers.length > 0 &&
          !numbers.some((each) => placeholders(singular).includes(each))
        );
      })
      .map(([name]) => name);
    expect(wrong).toEqual([]);
  });

  test('has no untranslated message', () => {
    const originals = new Map(flatten(english));
    const same = texts.filter(
      ([name, text]) =>
        originals.get(name) === text &&
        !alike.has(name) &&
        !name.startsWith(namesOfLanguages) &&
        /\p{L}/u.test(text.replaceAll(/\{\{[^}]*\}\}/g, '')),
    );
    expect(same.map(([name]) => name)).toEqual([]);
  });

  test('lists no message as intentionally equal that differs', () => {
    const originals = new Map(flatten(english));
    const mine = new Map(texts);
    const idle = [...alike].filter((name) => originals.get(name) !== mine.get(name) || !mine.has(name));
    expect(idle).toEqual([]);
  });
});

test('Russian messages use the plural forms of Russian', async () => {
  const instance = createInstance();
  const t = await instance.init({ lng: 'ru', resources: { ru: { translation: ru } } });
  const entries = (count: number): string => t('files.count', { count });
  expect([1, 2, 5, 11, 21, 22, 25, 1.5].map(entries)).toEqual([
    '1 элемент',
    '2 элемента',
    '5 элементов',
    '11 элементов',
    '21 элемент',
    '22 элемента',
    '25 элементов',
    '1,5 элемента',
  ]);
});

test('Russian messages use Russian quotation marks and spelling', () => {
  const texts = flatten(ru);
  const quotes = texts.filter(([, text]) => /[“”‘’]/.test(text));
  expect(quotes).toEqual([]);
  // «вы» is lower case, because it addresses all users.
  const capitals = texts.filter(([, text]) => /[^.!?…»] (?:Вы|Вам|Вас|Вами|Ваш\p{L}*)(?!\p{L})/u.test(text));
  expect(capitals).toEqual([]);
});
