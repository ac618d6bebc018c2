import type { ContractRouterClient } from '@orpc/contract';
import { app, bookmarks, requestLog, settings, view } from './settings.ts';
import { batches } from './batches.ts';
import { bucketSettings } from './bucket-settings.ts';
import { connections } from './connections.ts';
import { edits } from './edits.ts';
import { files } from './files.ts';
import { jobs } from './jobs.ts';
import { inventory } from './inventory.ts';
import { links } from './links.ts';
import { prices } from './prices.ts';
import { properties } from './properties.ts';
import { operations } from './operations.ts';
import { s3Links } from './s3-links.ts';
import { sync } from './sync.ts';
import { thumbnails } from './thumbnails.ts';
import { transfers } from './transfers.ts';
import { updates } from './updates.ts';
import { stalled } from './stalled.ts';
import { map } from './map.ts';
import { walks } from './walks.ts';
import { versions } from './versions.ts';
import { buckets, objects } from './objects.ts';

/** All calls that the window can make to the core. Implemented once, in electron/core/handlers. */
export const contract = {
  edits,
  files,
  jobs,
  operations,
  sync,
  transfers,
  stalled,
  app,
  batches,
  bookmarks,
  buckets,
  bucketSettings,
  connections,
  objects,
  versions,
  prices,
  properties,
  links,
  requestLog,
  s3Links,
  settings,
  thumbnails,
  updates,
  view,
  walks,
  map,
  inventory,
};

export type Contract = typeof contract;
/** The client of the contract, as the window uses it. */
export type CoreClient = ContractRouterClient<Contract>;
