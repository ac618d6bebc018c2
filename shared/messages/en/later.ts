import batches from './batches.json' with { type: 'json' };
import buckets from './buckets.json' with { type: 'json' };
import connectionForm from './connectionForm.json' with { type: 'json' };
import inventory from './inventory.json' with { type: 'json' };
import jobs from './jobs.json' with { type: 'json' };
import links from './links.json' with { type: 'json' };
import map from './map.json' with { type: 'json' };
import palette from './palette.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import properties from './properties.json' with { type: 'json' };
import requestLog from './requestLog.json' with { type: 'json' };
import s3Links from './s3Links.json' with { type: 'json' };
import search from './search.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import sync from './sync.json' with { type: 'json' };
import stalled from './stalled.json' with { type: 'json' };
import versions from './versions.json' with { type: 'json' };
import viewers from './viewers.json' with { type: 'json' };

/**
 * The texts of areas that the first load does not use. The window loads them right after its start. Texts about these areas that
 * the first load does show, such as names of menu entries, are in the area `entries`.
 */
export const laterTexts = {
  batches,
  buckets,
  connectionForm,
  inventory,
  jobs,
  links,
  map,
  palette,
  prices,
  properties,
  requestLog,
  s3Links,
  search,
  settings,
  sync,
  stalled,
  versions,
  viewers,
};
