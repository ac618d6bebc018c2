import type { EnglishMessages } from '../english.ts';
import { firstTexts } from './first.ts';
import { laterTexts } from './later.ts';

/** All texts of the window in English. */
export const en = { ...firstTexts, ...laterTexts } as unknown as EnglishMessages;
