import { ActionIcon, Group, Loader, Text } from '@mantine/core';
import { ChevronDown, ChevronUp, FileX } from 'lucide-react';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- an address, made by vite
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import classes from '../viewers.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'open'; readonly document: PDFDocumentProxy };

/** Pages painted onto a canvas by pdf.js. Scripts, forms and links of the document are not looked at. */
export function PdfView({ file: { source } }: ViewerProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    const aborter = new AbortController();
    const load = async (): Promise<(() => void) | undefined> => {
      // pdf.js takes the bytes for itself.
      const data = (await source.read(0, source.sizeBytes, aborter.signal)).slice();
      // The policy of the window allows neither eval nor WebAssembly; pdf.js 6 needs no eval any more.
      const task = getDocument({ data, useWasm: false, disableFontFace: false });
      aborter.signal.addEventListener('abort', () => void task.destroy());
      const document = await task.promise;
      if (!aborter.signal.aborted) setState({ kind: 'open', document });
      return undefined;
    };
    load().catch(() => {
      // Damaged, locked, or the bytes did not come: to the reader it cannot be shown.
      if (!aborter.signal.aborted) setState({ kind: 'failed' });
    });
    return () => {
      aborter.abort();
    };
  }, [source]);

  if (state.kind === 'failed')
    return (
      <ViewerFrame>
        <EmptyState
          icon={<FileX size={28} />}
          title={t('viewers.pdf.failed')}
          body={t('viewers.pdf.failedBody')}
        />
      </ViewerFrame>
    );
  if (state.kind === 'loading')
    return (
      <div className={classes.waiting} role="status" aria-label={t('viewers.loading')}>
        <Loader size={28} aria-hidden />
      </div>
    );
  return <Pages document={state.document} />;
}

function Pages({ document }: { readonly document: PDFDocumentProxy }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const pages = document.numPages;
  return (
    <ViewerFrame
      toolbar={
        <Group gap="xs">
          <ActionIcon
            aria-label={t('viewers.pdf.previous')}
            disabled={page <= 1}
            onClick={() => {
              setPage(page - 1);
            }}
          >
            <ChevronUp size={16} aria-hidden />
          </ActionIcon>
          <Text size="sm" role="status">
            {t('viewers.pdf.page', { page, pages })}
          </Text>
          <ActionIcon
            aria-label={t('viewers.pdf.next')}
            disabled={page >= pages}
            onClick={() => {
              setPage(page + 1);
            }}
          >
            <ChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Group>
      }
    >
      <Page document={document} page={page} />
    </ViewerFrame>
  );
}

function Page({ document, page }: { readonly document: PDFDocumentProxy; readonly page: number }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let cancel: (() => void) | null = null;
    let isOver = false;
    const paint = async (): Promise<void> => {
      const proxy = await document.getPage(page);
      if (isOver || canvas.current === null || frame.current === null) return;
      const natural = proxy.getViewport({ scale: 1 });
      const widthPx = Math.min(900, frame.current.clientWidth - 32);
      const scale = (widthPx / natural.width) * Math.min(2, window.devicePixelRatio);
      const viewport = proxy.getViewport({ scale });
      canvas.current.width = viewport.width;
      canvas.current.height = viewport.height;
      canvas.current.style.width = `${String(widthPx)}px`;
      const task = proxy.render({ canvas: canvas.current, viewport });
      cancel = () => {
        task.cancel();
      };
      await task.promise;
    };
    paint().catch((thrown: unknown) => {
      if (!isOver) reportError(thrown);
    });
    return () => {
      isOver = true;
      cancel?.();
    };
  }, [document, page]);
  return (
    <div
      ref={frame}
      className={classes.pdfPage}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
      tabIndex={0}
      role="document"
      aria-label={t('viewers.pdf.pageLabel', { page })}
      data-keeps-arrows
    >
      <canvas ref={canvas} />
    </div>
  );
}
