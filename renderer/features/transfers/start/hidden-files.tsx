import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConflictAction, TransferItem } from '../../../../shared/models/transfers.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import classes from './conflicts-dialog.module.css';

/** Maximum number of files listed and decided at a time. */
export const shownHiddenFiles = 50;

interface HiddenFilesProps {
  readonly files: readonly TransferItem[];
  /** The decision being sent. */
  readonly pending: ConflictAction | null;
  readonly onAnswer: (action: ConflictAction) => void;
  readonly onClose: () => void;
}

/** Lists the hidden files that would be written to the home folder, and asks to confirm exactly these. */
export function HiddenFiles({ files, pending, onAnswer, onClose }: HiddenFilesProps) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm">{t('jobs.hiddenFiles.intro', { count: files.length })}</Text>
      <ul className={classes.hidden} aria-label={t('jobs.hiddenFiles.list')}>
        {files.map(({ seq, localName, target }) => (
          <li key={seq}>
            <KeyText name={localName} />
            {target === null ? null : (
              <Text size="xs" c="dimmed" component="p" m={0}>
                {t('jobs.hiddenFiles.isThere')}
              </Text>
            )}
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" onClick={onClose}>
          {t('jobs.hiddenFiles.later')}
        </Button>
        <Button
          variant="default"
          color="red"
          loading={pending === 'overwrite'}
          disabled={pending !== null}
          onClick={() => onAnswer('overwrite')}
        >
          {t('jobs.hiddenFiles.save')}
        </Button>
        <Button loading={pending === 'skip'} disabled={pending !== null} onClick={() => onAnswer('skip')}>
          {t('jobs.hiddenFiles.skip')}
        </Button>
      </Group>
    </>
  );
}
