import { useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { drawAnnotationIcons } from './annotation-icons.ts';
import classes from '../pictures.module.css';

interface PdfThumbnailsProps {
  readonly document: PDFDocumentProxy;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

const widthPx = 96;
const rowPx = 160;

/** Shows small pages, each a button that jumps to the page. Only visible thumbnails are drawn. */
export function PdfThumbnails({ document, page, onPage }: PdfThumbnailsProps) {
  const { t } = useTranslation();
  const strip = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the virtual list measures the rendered page
  const virtual = useVirtualizer({
    count: document.numPages,
    getScrollElement: () => strip.current,
    estimateSize: () => rowPx,
    overscan: 1,
  });
  useEffect(() => {
    virtual.scrollToIndex(page - 1, { align: 'auto' });
  }, [virtual, page]);
  return (
    <div ref={strip} className={classes.pdfStrip}>
      <ol
        className={classes.pdfThumbnails}
        style={{ height: virtual.getTotalSize() }}
        aria-label={t('viewers.pdf.thumbnails')}
      >
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li
            key={index}
            className={classes.pdfThumbnail}
            style={{ transform: `translateY(${String(start)}px)` }}
          >
            <button
              type="button"
              className={classes.thumbnail}
              aria-current={page === index + 1 ? 'page' : undefined}
              aria-label={t('viewers.pdf.pageLabel', { page: index + 1 })}
              onClick={() => onPage(index + 1)}
            >
              <Thumbnail document={document} page={index + 1} />
              <span>{index + 1}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Thumbnail({ document, page }: { readonly document: PDFDocumentProxy; readonly page: number }) {
  const sheet = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isOver = false;
    let cancel: (() => void) | null = null;
    const draw = async (): Promise<void> => {
      const proxy = await document.getPage(page);
      if (isOver || canvas.current === null) return;
      const natural = proxy.getViewport({ scale: 1 });
      const fit = Math.min(widthPx / natural.width, (rowPx - 36) / natural.height);
      const viewport = proxy.getViewport({ scale: fit * Math.min(2, window.devicePixelRatio) });
      canvas.current.width = Math.max(1, Math.round(viewport.width));
      canvas.current.height = Math.max(1, Math.round(viewport.height));
      canvas.current.style.width = `${String(Math.round(natural.width * fit))}px`;
      const task = proxy.render({ canvas: canvas.current, viewport });
      cancel = () => task.cancel();
      const annotations = await proxy.getAnnotations({ intent: 'display' });
      await task.promise;
      if (isOver || sheet.current === null) return;
      drawAnnotationIcons(annotations, proxy, sheet.current, null);
      setDrawn(true);
    };
    // A page that cannot be drawn stays white here. The main view shows the reason.
    draw().catch(() => undefined);
    return () => {
      isOver = true;
      cancel?.();
    };
  }, [document, page]);
  return (
    <span ref={sheet} className={classes.sheet} aria-hidden>
      <canvas ref={canvas} width={1} height={1} data-drawn={isDrawn} />
    </span>
  );
}
