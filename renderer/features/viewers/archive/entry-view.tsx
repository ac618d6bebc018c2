import { Button } from '@mantine/core';
import { ArrowLeft, FileX } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { saveBytes } from '../../../rpc/save-file.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { NestedFrame, ViewerLoading } from '../frame/frame.tsx';
import { useNestedView, useRead } from '../frame/viewer-hooks.ts';
import type { ViewedFile } from '../frame/viewer.ts';
import { maxExtractedBytes, type ArchiveEntry, type OpenedEntry } from './archive.ts';
import { ArchiveProblem } from './archive-problem.tsx';
import tables from '../tables.module.css';
import { escapesFolder, safeFileName } from './entry-names.ts';

interface EntryViewProps {
  readonly entry: ArchiveEntry;
  readonly onBack: () => void;
}

/** Shows an entry of an archive in the matching viewer, with a button that returns to the list. */
export function EntryView({ entry, onBack }: EntryViewProps) {
  const { t } = useTranslation();
  const back = useRef<HTMLButtonElement>(null);
  // Focuses the button, since the list that had focus was removed.
  useEffect(() => back.current?.focus(), []);
  return (
    <NestedFrame
      notes={
        escapesFolder(entry.name) ? [t('viewers.archive.leadsOut', { name: safeFileName(entry.name) })] : []
      }
      header={
        <div className={tables.entryPath}>
          <Button
            size="compact-sm"
            variant="default"
            ref={back}
            leftSection={<ArrowLeft size={14} aria-hidden />}
            onClick={onBack}
          >
            {t('viewers.archive.back')}
          </Button>
          <span>
            <KeyText name={entry.name} />
          </span>
        </div>
      }
    >
      {entry.closed === null ? (
        <Opened entry={entry} />
      ) : (
        <EmptyState
          icon={<FileX size={28} />}
          title={t('viewers.archive.closed')}
          body={t(`viewers.archive.closedBody.${entry.closed}`)}
        />
      )}
    </NestedFrame>
  );
}

function Opened({ entry }: { readonly entry: ArchiveEntry }) {
  const { data, error, refetch } = useRead(async (signal) => await entry.open(signal));
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  return data === undefined ? <ViewerLoading /> : <Inside name={entry.name} opened={data} />;
}

function Inside({ name, opened }: { readonly name: string; readonly opened: OpenedEntry }) {
  const { t } = useTranslation();
  const { source, isDamaged } = opened;
  const nested = useNestedView();
  const fileName = safeFileName(name);
  const file = useMemo<ViewedFile>(
    () => ({ name: fileName, contentType: null, contentEncoding: null, source, object: null }),
    [fileName, source],
  );
  const save = (): void => {
    sayingFailure(async () => {
      await saveBytes(fileName, (await source.read(0, source.sizeBytes)).slice());
    });
  };
  // Offers no download for an entry too large for memory.
  return (
    <NestedFrame notes={isDamaged ? [t('viewers.packed.remark.checksum')] : []}>
      {nested({ file, onDownload: source.sizeBytes <= maxExtractedBytes ? save : null })}
    </NestedFrame>
  );
}
