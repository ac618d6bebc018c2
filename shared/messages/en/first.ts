import type { EnglishMessages } from '../english.ts';
import bookmarks from './bookmarks.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import connections from './connections.json' with { type: 'json' };
import edits from './edits.json' with { type: 'json' };
import entries from './entries.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };
import jobs from './jobs.json' with { type: 'json' };
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
  jobs,
  objects,
  operations,
  transfers,
  updates,
};

/**
 * The texts of the window's first load. They have the type of all texts, as i18next does: it knows each text, so that a use without
 * its values is an error.
 */
export const firstTexts = areas as unknown as EnglishMessages;
