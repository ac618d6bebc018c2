import { openBucketDialog } from '../../features/buckets/index.ts';
import { exportConnections, openConnectionDialog } from '../../features/connections/index.ts';
import { openSettings } from '../../features/settings/index.ts';
import { lookForUpdates } from '../../features/updates/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { connectionOf, folderPlace } from '../places/places.ts';
import { defineCommand, folderIn, isInFolder, type CommandWindow } from './define-command.ts';

/** Returns the bucket of the visible folder, search or stalled uploads, or null on any other page. */
function bucketIn({
  place,
}: CommandWindow): { readonly connectionId: string; readonly bucket: string } | null {
  if (place.kind !== 'folder' && place.kind !== 'search' && place.kind !== 'uploads') return null;
  const { connectionId, bucket } = place;
  return bucket === null ? null : { connectionId, bucket };
}

function isInBucket(window: CommandWindow): boolean {
  return bucketIn(window) !== null;
}

/** The commands for buckets, connections and the program. */
export const programCommands = [
  defineCommand('newBucket', {
    run: ({ place, go }) =>
      openBucketDialog({
        kind: 'create',
        connectionId: connectionOf(place),
        onCreated: ({ connectionId, bucket }) => go(folderPlace(connectionId, bucket, '')),
      }),
  }),
  defineCommand('bucketSettings', {
    enabled: isInBucket,
    run: (window) => {
      const place = bucketIn(window);
      if (place !== null) openBucketDialog({ kind: 'settings', place });
    },
  }),
  defineCommand('deleteBucket', {
    enabled: isInBucket,
    run: (window) => {
      const place = bucketIn(window);
      if (place === null) return;
      const onRemoved = (): void => window.go({ kind: 'connection', connectionId: place.connectionId });
      openBucketDialog({ kind: 'remove', place, onRemoved });
    },
  }),
  defineCommand('openTrash', {
    enabled: isInFolder,
    run: (window) => {
      const place = folderIn(window);
      if (place === null) return;
      openTrash({ connectionId: place.connectionId, bucket: place.bucket, prefix: place.folder });
    },
  }),
  defineCommand('exportConnections', { run: () => exportConnections() }),
  defineCommand('importConnections', { run: () => openConnectionDialog({ mode: 'import' }) }),
  defineCommand('openSettings', { run: () => openSettings() }),
  defineCommand('openAbout', { run: () => openSettings('about') }),
  defineCommand('openUpdates', {
    run: () => {
      openSettings('updates');
      sayingFailure(lookForUpdates);
    },
  }),
];
