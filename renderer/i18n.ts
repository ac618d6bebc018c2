import { init, use } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from '../shared/messages/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** Starts the catalogues; English is the first, and what others fall back to. */
export async function startI18n(): Promise<void> {
  use(initReactI18next);
  await init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    // React escapes what it draws.
    interpolation: { escapeValue: false },
  });
}
