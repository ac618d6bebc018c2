import { openBucketDialog } from '../../features/buckets/index.ts';
import { exportConnections, openConnectionDialog } from '../../features/connections/index.ts';
import { openSettings } from '../../features/settings/index.ts';
import { lookForUpdates } from '../../features/updates/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { bucketOf, connectionOf, folderPlace } from '../places/places.ts';
import { defineCommand, isInFolder, withFolder, type CommandWindow } from './define-command.ts';

function isInBucket({ place }: CommandWindow): boolean {
  return bucketOf(place) !== null;
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
      const place = bucketOf(window.place);
      if (place !== null) openBucketDialog({ kind: 'settings', place });
    },
  }),
  defineCommand('deleteBucket', {
    enabled: isInBucket,
    run: (window) => {
      const place = bucketOf(window.place);
      if (place === null) return;
      const onRemoved = (): void => window.go({ kind: 'connection', connectionId: place.connectionId });
      openBucketDialog({ kind: 'remove', place, onRemoved });
    },
  }),
  defineCommand('openTrash', {
    enabled: isInFolder,
    run: (window) =>
      withFolder(window, ({ connectionId, bucket, folder }) =>
        openTrash({ connectionId, bucket, prefix: folder }),
      ),
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
