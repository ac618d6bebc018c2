import type { TFunction } from 'i18next';
import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/words/format.ts';
import { BadFormat } from '../frame/bytes.ts';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import { NestedFrame, ViewerLoading, TooComplexNotice, useViewerActions } from '../frame/frame.tsx';
import { useNestedView, useRead } from '../frame/viewer-hooks.ts';
import { codingsOf, sniffedBytes, type ViewedFile, type ViewerProps } from '../frame/viewer.ts';
import { memorySource } from '../frame/range-source.ts';
import { askUnpacker } from '../packed/ask-unpacker.ts';
import { maxDecompressedBytes, type Compression, type Unpacked } from '../packed/unpacker.ts';
import {
  isKnownCoding,
  isCompressionOf,
  compressionOfCoding,
  nameInside,
  markedCompression,
} from '../packed/compression.ts';

/** Limit of compressed files inside each other, since a crafted file may even contain itself. Deeper files are not opened. */
const maxLayers = 5;
const Layer = createContext(1);

/** Shows the content of a compressed file, or only its beginning if the content is large. */
export function PackedView({ file }: ViewerProps) {
  return useContext(Layer) > maxLayers ? <TooComplexNotice /> : <UnpackedView file={file} />;
}

function UnpackedView({ file }: ViewerProps) {
  const layer = useContext(Layer);
  const { t } = useTranslation();
  const nested = useNestedView();
  const { download } = useViewerActions();
  const { data, error, refetch } = useRead(async (signal) => await openPacked(file, signal));
  const inside = useMemo(() => (data === undefined ? null : insideOf(file, data)), [data, file]);
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  if (data === undefined || inside === null) return <ViewerLoading />;
  return (
    <NestedFrame notes={notesOf(file, data, t)}>
      <Layer value={layer + 1}>{nested({ file: inside, onDownload: download })}</Layer>
    </NestedFrame>
  );
}

/** The result of decompression. `plain` means that the bytes are not compressed, although the object's header says so. */
type Opened =
  | { readonly kind: 'unpacked'; readonly unpacked: Unpacked; readonly compression: Compression }
  | { readonly kind: 'plain' };

async function openPacked(file: ViewedFile, signal: AbortSignal): Promise<Opened> {
  const head = await file.source.read(0, sniffedBytes, signal);
  const coding = codingsOf(file.contentEncoding).at(-1) ?? null;
  // Brotli has no signature.
  const compression =
    coding === null ? (markedCompression(head) ?? 'brotli') : compressionOfCoding(coding, head);
  if (compression === null) return { kind: 'plain' };
  try {
    const unpacked = await askUnpacker(file.source, compression, maxDecompressedBytes, signal);
    return { kind: 'unpacked', unpacked, compression };
  } catch (thrown) {
    if (coding === null || !(thrown instanceof BadFormat)) throw thrown;
    return { kind: 'plain' };
  }
}

function insideOf(file: ViewedFile, opened: Opened): ViewedFile {
  if (opened.kind === 'plain') return { ...file, contentEncoding: null, object: null };
  const codings = codingsOf(file.contentEncoding);
  const isFile = codings.length === 0;
  return {
    name: isFile ? nameInside(file.name) : file.name,
    // The content type of a compressed file describes the compression, not the content.
    contentType: isFile ? null : file.contentType,
    contentEncoding: codings.length > 1 ? codings.slice(0, -1).join(', ') : null,
    source: memorySource(opened.unpacked.bytes),
    object: null,
  };
}

function notesOf(file: ViewedFile, opened: Opened, t: TFunction): readonly string[] {
  const coding = codingsOf(file.contentEncoding).at(-1) ?? '';
  if (opened.kind === 'plain')
    return [t(`viewers.packed.coding.${isKnownCoding(coding) ? 'plain' : 'unknown'}`, { coding })];
  const { unpacked, compression } = opened;
  return [
    ...(coding === '' || isCompressionOf(compression, coding)
      ? []
      : [t('viewers.packed.coding.other', { coding, found: compression })]),
    ...(unpacked.remark === null ? [] : [t(`viewers.packed.remark.${unpacked.remark}`)]),
    ...(unpacked.isCut ? [t('viewers.packed.cut', { size: formatBytes(unpacked.bytes.length) })] : []),
  ];
}
