import type { CoreParts } from './core-parts.ts';
import { createImplementer } from './implementer.ts';
import {
  editHandlers,
  linkHandlers,
  propertyHandlers,
  versionHandlers,
  thumbnailHandlers,
  bucketSettingsHandlers,
  bucketHandlers,
  objectHandlers,
  inventoryHandlers,
  mapHandlers,
  walkHandlers,
} from './object-handlers.ts';
import {
  priceHandlers,
  connectionHandlers,
  appHandlers,
  bookmarkHandlers,
  requestLogHandlers,
  s3LinkHandlers,
  settingsHandlers,
  updateHandlers,
  viewHandlers,
} from './program-handlers.ts';
import {
  fileHandlers,
  batchHandlers,
  syncHandlers,
  operationHandlers,
  transferHandlers,
} from './transfer-handlers.ts';
import { stalledHandlers, jobHandlers } from './job-handlers.ts';

/** Implements the contract. Handlers delegate and contain no logic. */
export function createRouter(parts: CoreParts) {
  const os = createImplementer(parts.ports.logger);
  return os.router({
    app: appHandlers(os, parts),
    s3Links: s3LinkHandlers(os, parts),
    settings: settingsHandlers(os, parts),
    updates: updateHandlers(os, parts),
    view: viewHandlers(os, parts),
    bookmarks: bookmarkHandlers(os, parts),
    requestLog: requestLogHandlers(os, parts),
    connections: connectionHandlers(os, parts),
    buckets: bucketHandlers(os, parts),
    bucketSettings: bucketSettingsHandlers(os, parts),
    objects: objectHandlers(os, parts),
    thumbnails: thumbnailHandlers(os, parts),
    versions: versionHandlers(os, parts),
    properties: propertyHandlers(os, parts),
    prices: priceHandlers(os, parts),
    edits: editHandlers(os, parts),
    links: linkHandlers(os, parts),
    stalled: stalledHandlers(os, parts),
    jobs: jobHandlers(os, parts),
    transfers: transferHandlers(os, parts),
    sync: syncHandlers(os, parts),
    operations: operationHandlers(os, parts),
    files: fileHandlers(os, parts),
    walks: walkHandlers(os, parts),
    map: mapHandlers(os, parts),
    inventory: inventoryHandlers(os, parts),
    batches: batchHandlers(os, parts),
  });
}

export type CoreRouter = ReturnType<typeof createRouter>;
