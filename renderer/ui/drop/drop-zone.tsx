import { Button, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../words/error-notice.tsx';
import type { FileDrop, DroppedFiles } from './file-drop.ts';
import { formatBytes } from '../words/format.ts';
import classes from '../parts.module.css';

interface DropZoneProps {
  /** Tells the user what to drop here. */
  readonly label: string;
  readonly drop: FileDrop;
  readonly dropped: DroppedFiles;
}

/** Shows the drop area for a file, the progress of its copy, and an error. The element around it handles the drop. */
export function DropZone({ label, drop, dropped }: DropZoneProps) {
  const { t } = useTranslation();
  const { taking } = dropped;
  if (taking.kind === 'running')
    return (
      <Stack gap={6}>
        <Text size="sm">
          {t('files.drop.receiving', {
            name: taking.name,
            done: formatBytes(taking.sentBytes),
            total: formatBytes(taking.sizeBytes),
          })}
        </Text>
        <Progress
          value={taking.sizeBytes === 0 ? 100 : (taking.sentBytes / taking.sizeBytes) * 100}
          aria-label={t('files.drop.progress')}
        />
        <div>
          <Button variant="default" onClick={dropped.stop}>
            {t('files.drop.stop')}
          </Button>
        </div>
      </Stack>
    );
  return (
    <>
      {taking.kind === 'failed' ? <ErrorNotice error={taking.error} /> : null}
      {taking.kind === 'stopped' ? <Text size="sm">{t('files.drop.stopped')}</Text> : null}
      <div className={classes.dropZone} data-over={drop.isOver} data-testid="drop-zone">
        {drop.isOver ? t('files.drop.letGo') : label}
      </div>
    </>
  );
}
