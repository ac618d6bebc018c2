/** The languages of the window and the hosts. English is complete and is the fallback for missing texts. */
export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

export const languageSettings = ['system', ...languages] as const;
export type LanguageSetting = (typeof languageSettings)[number];

/**
 * Returns the chosen language, or for `system` the first preferred one that Cooper supports. Accepts browser tags (`ru-RU`) and
 * environment values (`ru_RU.UTF-8`).
 */
export function languageOf(setting: LanguageSetting, preferred: readonly string[]): Language {
  if (setting !== 'system') return setting;
  for (const tag of preferred) {
    const primary = tag.split(/[-_.@]/, 1)[0]?.toLowerCase();
    const known = languages.find((language) => language === primary);
    if (known !== undefined) return known;
  }
  return 'en';
}

/** Returns a terminal's languages in gettext's order: LANGUAGE, then LC_ALL, LC_MESSAGES, LANG. */
export function preferredOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  // The locale C means no translation, and gettext then ignores LANGUAGE.
  if (locale === undefined || /^(?:C|POSIX)(?:\.|$)/.test(locale)) return ['en'];
  return [...(env['LANGUAGE'] ?? '').split(':').filter((tag) => tag !== ''), locale];
}
