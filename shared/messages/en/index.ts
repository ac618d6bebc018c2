import type { EnglishMessages } from '../english.ts';
import { firstTexts } from './first.ts';
import { laterTexts } from './later.ts';

/** All that the window can say in English. */
export const en = { ...firstTexts, ...laterTexts } as unknown as EnglishMessages;
