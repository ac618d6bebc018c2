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

/** Local storage key of the last known language. The core stores the setting, but replies only after the first render. */
const rememberedAs = 'cooper.language';
const rememberedSchema = z.enum(languageSettings);

/** Loads the messages of the language used last. */
export async function startI18n(): Promise<void> {
  use(initReactI18next);
  await init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { [namespace]: firstTexts } },
    // Re-renders components when texts are added later.
    react: { bindI18nStore: 'added' },
    // React escapes texts itself.
    interpolation: { escapeValue: false },
  });
  // Only lazily loaded views need these texts. If loading them fails, the views' files fail too, which is reported.
  void import('../shared/messages/en/later.ts').then(
    ({ laterTexts }) => i18next.addResourceBundle('en', namespace, laterTexts, true),
    () => undefined,
  );
  const remembered = rememberedSchema.safeParse(localStorage.getItem(rememberedAs));
  const setting = remembered.success ? remembered.data : 'system';
  // The window must open even without the messages of the chosen language. They are requested again once the core is connected,
  // and a failure is then shown.
  await speakAs(setting).catch(() => undefined);
}

/** Changes the language and remembers it. Rejects and keeps the present language if the messages cannot be loaded. */
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
  // The user chose another language while the messages were loading.
  if (wanted !== language) return;
  document.documentElement.lang = language;
  if (i18next.language !== language) await changeLanguage(language);
}
