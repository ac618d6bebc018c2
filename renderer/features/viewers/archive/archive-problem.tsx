import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { ViewerFailed, ViewerMessage } from '../frame/frame.tsx';
import { UnknownCompression } from '../packed/unpacker.ts';
import { EncryptedDirectory, maxExtractedBytes, TooLarge } from './archive.ts';

interface ArchiveProblemProps {
  readonly thrown: unknown;
  readonly onRetry: () => void;
  /** The viewer's buttons. */
  readonly toolbar?: ReactNode;
}

/** Says that the bytes of an archive could not be fetched, or are damaged. */
export function ArchiveProblem({ thrown, onRetry, toolbar }: ArchiveProblemProps) {
  const { t } = useTranslation();
  const error = appErrorOf(thrown);
  if (error.code !== 'internal') return <ViewerFailed error={error} onRetry={onRetry} toolbar={toolbar} />;
  const [title, body] =
    thrown instanceof TooLarge
      ? (['viewers.none.too-large', 'viewers.archive.tooLargeBody'] as const)
      : thrown instanceof EncryptedDirectory
        ? (['viewers.archive.encryptedList', 'viewers.archive.encryptedListBody'] as const)
        : thrown instanceof UnknownCompression
          ? (['viewers.none.unknown-type', 'viewers.archive.closedBody.method'] as const)
          : (['viewers.archive.damaged', 'viewers.archive.damagedBody'] as const);
  return (
    <ViewerMessage
      toolbar={toolbar}
      title={t(title)}
      body={t(body, { limit: formatBytes(maxExtractedBytes) })}
    />
  );
}
