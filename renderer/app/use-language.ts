import { useEffect } from 'react';
import { useSettings } from '../features/settings/index.ts';
import { followLanguage } from '../i18n.ts';
import { showNotice } from '../ui/notices/notices.tsx';
import { useStable } from '../ui/use-stable.ts';

/** Applies the language of the settings, or of the system, without a reload. */
export function useLanguageSetting(): void {
  const { settings, isKnown } = useSettings();
  const { language } = settings;
  const { sayFailed } = useStable({
    sayFailed: () => {
      showNotice({ tone: 'bad', message: (say) => say('entries.settings.languageFailed') });
    },
  });
  useEffect(() => {
    if (!isKnown) return undefined;
    const follow = (): void => {
      followLanguage(language).catch(sayFailed);
    };
    follow();
    globalThis.addEventListener('languagechange', follow);
    return () => {
      globalThis.removeEventListener('languagechange', follow);
    };
  }, [isKnown, language, sayFailed]);
}
