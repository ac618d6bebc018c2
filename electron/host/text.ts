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

/** Returns a message of the hosts' catalogue with its values filled in. The default language is the terminal's. */
export function text(
  name: HostMessage | 'quitMessage' | 'noticeMany' | 'noticeOthers' | 'noticeFailed',
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue.t(name, values);
}

/** Says in which language `text` speaks from now on; true where that is another one than before. */
export function speak(setting: LanguageSetting, preferred: readonly string[]): boolean {
  const language = languageOf(setting, preferred);
  if (catalogue.language === language) return false;
  // All catalogues are at hand, so this is done before it returns.
  void catalogue.changeLanguage(language);
  return true;
}
