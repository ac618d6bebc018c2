import { createInstance, type TFunction } from 'i18next';
import { en } from '../../../shared/messages/en/index.ts';

/** The real catalogue: tests read the sentences as people do. */
export async function englishWords(): Promise<TFunction> {
  const instance = createInstance();
  return instance.init({
    lng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
}
