import type { ContractRouterClient } from '@orpc/contract';
import { files } from './files.ts';
import {
  links,
  edits,
  thumbnails,
  versions,
  properties,
  bucketSettings,
  buckets,
  objects,
} from './objects.ts';
import { prices, connections } from './connections.ts';
import { s3Links, updates, app, bookmarks, requestLog, settings, view } from './settings.ts';
import { sync, batches, operations, transfers } from './transfers.ts';
import { stalled, jobs } from './jobs.ts';
import { map, inventory, walks } from './walks.ts';

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
