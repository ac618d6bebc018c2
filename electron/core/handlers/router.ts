import type { CoreParts } from './core-parts.ts';
import {
  appHandlers,
  bookmarkHandlers,
  requestLogHandlers,
  s3LinkHandlers,
  settingsHandlers,
  updateHandlers,
  viewHandlers,
} from './settings-handlers.ts';
import { batchHandlers } from './batch-handlers.ts';
import { bucketSettingsHandlers } from './bucket-settings-handlers.ts';
import { connectionHandlers } from './connection-handlers.ts';
import { createImplementer } from './implementer.ts';
import { editHandlers, linkHandlers, propertyHandlers, versionHandlers } from './object-extras-handlers.ts';
import { bucketHandlers, objectHandlers } from './object-handlers.ts';
import { operationHandlers } from './operation-handlers.ts';
import { priceHandlers } from './price-handlers.ts';
import { syncHandlers } from './sync-handlers.ts';
import { thumbnailHandlers } from './thumbnail-handlers.ts';
import { transferHandlers } from './transfer-handlers.ts';
import { inventoryHandlers } from './inventory-handlers.ts';
import { mapHandlers } from './map-handlers.ts';
import { walkHandlers } from './walk-handlers.ts';
import { fileHandlers } from './file-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { stalledHandlers } from './stalled-handlers.ts';

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
