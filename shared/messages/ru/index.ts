import { bookmarks } from './bookmarks.ts';
import { buckets } from './buckets.ts';
import { common } from './common.ts';
import { connections } from './connections.ts';
import { edits } from './edits.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { jobs } from './jobs.ts';
import { links } from './links.ts';
import { objects } from './objects.ts';
import { operations } from './operations.ts';
import { properties } from './properties.ts';
import { requestLog } from './requestLog.ts';
import { s3Links } from './s3Links.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import { sync } from './sync.ts';
import { transfers } from './transfers.ts';
import { updates } from './updates.ts';
import { uploads } from './uploads.ts';
import { versions } from './versions.ts';
import { viewers } from './viewers.ts';

/** Что окно говорит по-русски; чего здесь нет, то говорится по-английски. */
export const ru = {
  bookmarks,
  buckets,
  common,
  connections,
  edits,
  errors,
  files,
  jobs,
  links,
  objects,
  operations,
  properties,
  requestLog,
  s3Links,
  search,
  settings,
  sync,
  transfers,
  updates,
  uploads,
  versions,
  viewers,
} as const;
