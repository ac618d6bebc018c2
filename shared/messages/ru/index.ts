import batches from './batches.json' with { type: 'json' };
import bookmarks from './bookmarks.json' with { type: 'json' };
import buckets from './buckets.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import connectionForm from './connectionForm.json' with { type: 'json' };
import connections from './connections.json' with { type: 'json' };
import edits from './edits.json' with { type: 'json' };
import entries from './entries.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };
import inventory from './inventory.json' with { type: 'json' };
import jobs from './jobs.json' with { type: 'json' };
import links from './links.json' with { type: 'json' };
import map from './map.json' with { type: 'json' };
import objects from './objects.json' with { type: 'json' };
import operations from './operations.json' with { type: 'json' };
import palette from './palette.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import properties from './properties.json' with { type: 'json' };
import requestLog from './requestLog.json' with { type: 'json' };
import s3Links from './s3Links.json' with { type: 'json' };
import search from './search.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import sync from './sync.json' with { type: 'json' };
import transfers from './transfers.json' with { type: 'json' };
import updates from './updates.json' with { type: 'json' };
import stalled from './stalled.json' with { type: 'json' };
import versions from './versions.json' with { type: 'json' };
import viewers from './viewers.json' with { type: 'json' };

/** The window's texts in Russian. */
export const ru = {
  batches,
  bookmarks,
  buckets,
  common,
  connectionForm,
  connections,
  edits,
  entries,
  errors,
  files,
  inventory,
  jobs,
  links,
  map,
  objects,
  operations,
  palette,
  prices,
  properties,
  requestLog,
  s3Links,
  search,
  settings,
  sync,
  transfers,
  updates,
  stalled,
  versions,
  viewers,
};
