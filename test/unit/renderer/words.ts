import { createInstance, type TFunction } from 'i18next';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';

/** Returns a translation function with the real English catalogue, so that tests check the sentences that users read. */
export async function englishWords(): Promise<TFunction> {
  return wordsOf('en', en);
}

export async function russianWords(): Promise<TFunction> {
  return wordsOf('ru', ru);
}

async function wordsOf(lng: string, translation: typeof en | typeof ru): Promise<TFunction> {
  const instance = createInstance();
  return instance.init({ lng, resources: { [lng]: { translation } }, interpolation: { escapeValue: false } });
}
