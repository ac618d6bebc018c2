import i18next, { changeLanguage, init, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { z } from 'zod';
import { languageOf, languageSettings, type Language, type LanguageSetting } from '../shared/language.ts';
import { en } from '../shared/messages/en/index.ts';
import type { EnglishMessages } from '../shared/messages/english.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: EnglishMessages };
  }
}

const namespace = 'translation';
/** Loaded where it is spoken; English is there from the start, and is what others fall back to. */
const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  ru: async () => (await import('../shared/messages/ru/index.ts')).ru,
};

/** The setting lies in the core, which answers after the first drawing: what it said last is remembered here. */
const rememberedAs = 'cooper.language';
const rememberedSchema = z.enum(languageSettings).catch('system');

/** Starts the catalogues, in the language that was spoken last. */
export async function startI18n(): Promise<void> {
  use(initReactI18next);
  await init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { [namespace]: en } },
    // React escapes what it draws.
    interpolation: { escapeValue: false },
  });
  const setting = rememberedSchema.parse(localStorage.getItem(rememberedAs));
  // A catalogue that does not come must not keep the window closed: it is asked for again, aloud, once the core is there.
  await speakAs(setting).catch(() => undefined);
}

/** Follows the setting from now on. Rejects where the catalogue cannot be loaded; the language stays then. */
export async function followLanguage(setting: LanguageSetting): Promise<void> {
  localStorage.setItem(rememberedAs, setting);
  await speakAs(setting);
}

let wanted: Language = 'en';

async function speakAs(setting: LanguageSetting): Promise<void> {
  const language = languageOf(setting, navigator.languages);
  wanted = language;
  if (language !== 'en' && !i18next.hasResourceBundle(language, namespace)) {
    i18next.addResourceBundle(language, namespace, await others[language]());
  }
  // Another choice was made while the catalogue was on its way.
  if (wanted !== language) return;
  document.documentElement.lang = language;
  if (i18next.language !== language) await changeLanguage(language);
}
