import { createInstance } from 'i18next';
import { languageOf, preferredOf, type LanguageSetting } from '../../shared/language.ts';
import english from '../../shared/messages/en/host.json' with { type: 'json' };
import type { EnglishHostMessages } from '../../shared/messages/english.ts';
import { hostTexts } from '../../shared/messages/translations.ts';

export type HostMessage = keyof EnglishHostMessages;

const catalogue = createInstance();
void catalogue.init({
  lng: languageOf('system', preferredOf(process.env)),
  fallbackLng: 'en',
  initAsync: false,
  interpolation: { escapeValue: false },
  resources: {
    en: { host: english },
    ...Object.fromEntries(Object.entries(hostTexts).map(([language, host]) => [language, { host }])),
  },
  defaultNS: 'host',
});

/** Returns a message of the hosts' catalogue with its values. The initial language is the terminal's. */
export function text(
  name: HostMessage | 'quitMessage' | 'noticeMany' | 'noticeOthers' | 'overlayTransfers' | 'noticeFailed',
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue.t(name, values);
}

/** Sets the language of `text`. Returns true if it changed. */
export function setLanguage(setting: LanguageSetting, preferred: readonly string[]): boolean {
  const language = languageOf(setting, preferred);
  if (catalogue.language === language) return false;
  // All catalogues are loaded, so the change is complete when this function returns.
  void catalogue.changeLanguage(language);
  return true;
}
