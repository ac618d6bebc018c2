import { settings } from './settings.ts';

/** Что окно говорит по-русски; чего здесь нет, то говорится по-английски. */
export const ru = {
  settings,
} as const;
