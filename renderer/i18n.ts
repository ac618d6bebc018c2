import i18next, { changeLanguage, init, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { z } from 'zod/mini';
import { languageOf, languageSettings, type Language, type LanguageSetting } from '../shared/language.ts';
import { firstTexts } from '../shared/messages/en/first.ts';
import type { EnglishMessages } from '../shared/messages/english.ts';
import { windowTexts } from '../shared/messages/translations.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: EnglishMessages };
  }
}

const namespace = 'translation';

/** The core holds the setting, but answers only after the first drawing. The window therefore remembers the last answer. */
const rememberedAs = 'cooper.language';
const rememberedSchema = z.enum(languageSettings);

/** Starts the catalogues, in the language that was spoken last. */
export async function startI18n(): Promise<void> {
  use(initReactI18next);
  await init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { [namespace]: firstTexts } },
    // Draws again what uses a text that came later.
    react: { bindI18nStore: 'added' },
    // React escapes what it draws.
    interpolation: { escapeValue: false },
  });
  // Views that need these texts are loaded later. If this fails, their own files fail too, and the view reports it.
  void import('../shared/messages/en/later.ts').then(
    ({ laterTexts }) => i18next.addResourceBundle('en', namespace, laterTexts, true),
    () => undefined,
  );
  const remembered = rememberedSchema.safeParse(localStorage.getItem(rememberedAs));
  const setting = remembered.success ? remembered.data : 'system';
  // A missing catalogue must not keep the window closed. It is requested again once the core is connected; a failure is then
  // shown.
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
    i18next.addResourceBundle(language, namespace, await windowTexts[language]());
  }
  // Another choice was made while the catalogue was on its way.
  if (wanted !== language) return;
  document.documentElement.lang = language;
  if (i18next.language !== language) await changeLanguage(language);
}
