import type { Language } from '../language.ts';
import russianHost from './ru/host.json' with { type: 'json' };

type Translation = Exclude<Language, 'en'>;

/** The hosts' texts in each language except English, loaded at start. */
export const hostTexts: Readonly<Record<Translation, Readonly<Record<string, string>>>> = { ru: russianHost };

/** The window's texts in each language except English, loaded when that language is chosen. */
export const windowTexts: Readonly<Record<Translation, () => Promise<object>>> = {
  ru: async () => (await import('./ru/index.ts')).ru,
};
