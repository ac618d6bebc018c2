import type { CoreParts } from './core-parts.ts';
import {
  appHandlers,
  bookmarkHandlers,
  requestLogHandlers,
  s3LinkHandlers,
  settingsHandlers,
  updateHandlers,
  viewHandlers,
} from './app.ts';
import { bucketSettingsHandlers } from './bucket-settings.ts';
import { connectionHandlers } from './connections.ts';
import { createImplementer } from './implementer.ts';
import { editHandlers, linkHandlers, propertyHandlers, versionHandlers } from './object-extras.ts';
import { bucketHandlers, objectHandlers } from './objects.ts';
import { operationHandlers } from './operations.ts';
import { syncHandlers } from './sync.ts';
import { transferHandlers } from './transfers.ts';
import { walkHandlers } from './walks.ts';
import { fileHandlers, jobHandlers, uploadHandlers } from './uploads.ts';

/** The contract, implemented: handlers delegate and hold no logic. */
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
    versions: versionHandlers(os, parts),
    properties: propertyHandlers(os, parts),
    edits: editHandlers(os, parts),
    links: linkHandlers(os, parts),
    uploads: uploadHandlers(os, parts),
    jobs: jobHandlers(os, parts),
    transfers: transferHandlers(os, parts),
    sync: syncHandlers(os, parts),
    operations: operationHandlers(os, parts),
    files: fileHandlers(os, parts),
    walks: walkHandlers(os, parts),
  });
}

export type CoreRouter = ReturnType<typeof createRouter>;
