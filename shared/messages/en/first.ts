import type { EnglishMessages } from '../english.ts';
import bookmarks from './bookmarks.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import connections from './connections.json' with { type: 'json' };
import edits from './edits.json' with { type: 'json' };
import entries from './entries.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };
import objects from './objects.json' with { type: 'json' };
import operations from './operations.json' with { type: 'json' };
import transfers from './transfers.json' with { type: 'json' };
import updates from './updates.json' with { type: 'json' };

const areas = {
  bookmarks,
  common,
  connections,
  edits,
  entries,
  errors,
  files,
  objects,
  operations,
  transfers,
  updates,
};

/**
 * The texts of the window's first load, typed as all texts. i18next derives the values that each text needs from this type, so
 * a missing value is a compile error.
 */
export const firstTexts = areas as unknown as EnglishMessages;
