import { Button, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import type { TransferPlace } from './start-transfer.ts';
import { useDropUpload } from './use-drop-upload.ts';
import classes from './start.module.css';

interface DropUploadAreaProps {
  /** The target of a drop that hits no folder. With null, as in the sidebar, such a drop is refused. */
  readonly place: TransferPlace | null;
  readonly children: ReactNode;
}

/** Makes the visible folder, or the folder tree, a drop target for files and folders. */
export function DropUploadArea({ place, children }: DropUploadAreaProps) {
  const { t } = useTranslation();
  const { hovering, taking, stop, handlers } = useDropUpload(place, classes.dropTarget ?? '');
  return (
    <div
      className={classes.dropArea}
      data-over={hovering !== null && place !== null}
      data-testid={place === null ? 'drop-upload-tree' : 'drop-upload'}
      {...handlers}
    >
      {children}
      {hovering === null ? null : (
        <div className={classes.dropNotice} role="status">
          <Text size="sm">
            {t(hovering.count > 0 ? 'transfers.drop.here' : 'transfers.drop.hereUnknown', {
              count: hovering.count,
              name: nameOf(hovering.place),
            })}
          </Text>
        </div>
      )}
      {taking === null ? null : (
        <div className={classes.dropNotice} role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">
            {t('transfers.drop.copying')}
            {taking.files === 0 && taking.sentBytes === 0
              ? ''
              : ` · ${t('transfers.drop.copied', { count: taking.files, size: formatBytes(taking.sentBytes) })}`}
          </Text>
          <Button size="compact-sm" variant="default" onClick={stop}>
            {t('transfers.drop.stop')}
          </Button>
        </div>
      )}
    </div>
  );
}

function nameOf(place: TransferPlace): string {
  return place.folder === '' ? place.bucket : lastSegment(place.folder);
}
