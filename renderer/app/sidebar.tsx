import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { TimerReset } from 'lucide-react';
import { BookmarksSidebar, useBookmarks } from '../features/bookmarks/index.ts';
import { type BucketServices, ConnectionsSidebar } from '../features/connections/index.ts';
import { LocalSidebar } from '../features/files/index.ts';
import { DropUploadArea, useJobsNow } from '../features/transfers/index.ts';
import { joinClasses } from '../ui/class-names.ts';
import { useValueAfterPaint } from '../ui/use-painted.ts';
import { useUploadCount } from '../features/stalled/index.ts';
import { formatCount } from '../ui/words/format.ts';
import common from '../ui/common.module.css';
import { Logo } from './logo.tsx';
import { computerPlace, folderPlace, placeFrom, type WindowPlace } from './places/places.ts';
import classes from './shell.module.css';

interface SidebarProps {
  readonly place: WindowPlace;
  readonly onGo: (place: WindowPlace) => void;
  readonly buckets: BucketServices;
}

/** Shows bookmarks, connections with their buckets, and this computer. Marks a new location after its rows have painted. */
export const Sidebar = memo(function Sidebar({ place, ...props }: SidebarProps) {
  return <SidebarContent place={useValueAfterPaint(place)} {...props} />;
});

const SidebarContent = memo(function SidebarContent({ place, onGo, buckets }: SidebarProps) {
  const { t } = useTranslation();
  const isFolder = place.kind === 'folder';
  // Without bookmarks, this section is only a hint and comes after the buckets.
  const hasBookmarks = (useBookmarks().data?.length ?? 0) > 0;
  const bookmarks = (
    <BookmarksSidebar
      current={
        isFolder ? { connectionId: place.connectionId, bucket: place.bucket, prefix: place.folder } : null
      }
      onOpen={({ connectionId, bucket, prefix }) => onGo(folderPlace(connectionId, bucket, prefix))}
    />
  );
  return (
    <nav aria-label={t('common.shell.sidebar')} className={joinClasses(common.column, classes.sidebar)}>
      <div className={joinClasses(common.row, common.strong, common.fixed, common.lineBelow, classes.brand)}>
        <Logo size={20} />
        <span>{t('common.appName')}</span>
      </div>
      <DropUploadArea place={null}>
        <div className={joinClasses(common.fill, classes.sidebarBody)}>
          {hasBookmarks ? bookmarks : null}
          <ConnectionsSidebar
            current={
              place.kind === 'start' || place.kind === 'local'
                ? null
                : {
                    connectionId: place.connectionId,
                    bucket: isFolder || place.kind === 'search' ? place.bucket : null,
                    prefix: isFolder ? place.folder : place.kind === 'search' ? place.prefix : '',
                    isExtra: place.kind === 'uploads',
                  }
            }
            onOpen={(destination) => onGo(placeFrom(destination))}
            buckets={buckets}
            extra={{
              label: t('entries.stalled.title'),
              render: (connectionId) => <UploadsEntry connectionId={connectionId} />,
              onOpen: (connectionId) => onGo({ kind: 'uploads', connectionId, bucket: null, prefix: '' }),
            }}
          />
          {hasBookmarks ? null : bookmarks}
          <LocalSidebar
            current={place.kind === 'local' ? (place.trail.at(0)?.handle ?? null) : null}
            onOpen={(root) => onGo({ ...computerPlace, trail: [root] })}
          />
        </div>
      </DropUploadArea>
    </nav>
  );
});

/** The row "Stalled uploads" below a connection in the sidebar, with their number. */
function UploadsEntry({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const { settledSerial } = useJobsNow();
  const known = useUploadCount({ connectionId, bucket: null, prefix: '' }, settledSerial);
  return (
    <>
      <TimerReset size={15} aria-hidden data-marked className={common.sideIcon} />
      <span className={common.label} title={t('entries.stalled.title')}>
        {t('entries.stalled.sidebar')}
      </span>
      {known === null || known.count === 0 ? null : (
        <span className={common.sideCount} title={t('entries.stalled.sidebarCount', { count: known.count })}>
          {known.isComplete
            ? formatCount(known.count)
            : t('entries.stalled.countAtLeast', { number: formatCount(known.count) })}
        </span>
      )}
    </>
  );
}
