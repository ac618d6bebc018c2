import { bookmarks } from './bookmarks.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { objects } from './objects.ts';
import { settings } from './settings.ts';
import { transfers } from './transfers.ts';

/** Что окно говорит по-русски; чего здесь нет, то говорится по-английски. */
export const ru = {
  bookmarks,
  common,
  errors,
  files,
  objects,
  settings,
  transfers,
} as const;
