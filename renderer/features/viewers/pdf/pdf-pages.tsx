import 'pdfjs-dist/web/pdf_viewer.css';
import { useMediaQuery } from '@mantine/hooks';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReadFailureProps, useViewerActions, ViewerFrame } from '../frame/frame.tsx';
import { showPages, type FindStatus, type PageOutcome, type PageViewer } from './page-viewer.ts';
import { PdfThumbnails } from './pdf-thumbnails.tsx';
import { PdfTools } from './pdf-tools.tsx';
import classes from '../pictures.module.css';
import frame from '../viewers.module.css';

interface PdfPagesProps {
  readonly document: PDFDocumentProxy;
  readonly name: string;
  /** The failure to read some pages, or null. */
  readonly failure: ReadFailureProps | null;
}

/** Shows the pages one below the other, with thumbnails for jumping to a page. */
export function PdfPages({ document, name, failure }: PdfPagesProps) {
  const { t } = useTranslation();
  const { isBare = false } = useViewerActions();
  const [page, setPage] = useState(1);
  const [scale, setScale] = useState(1);
  const [searchText, setSearchText] = useState('');
  const [found, setFound] = useState<FindStatus | null>(null);
  const [broken, setBroken] = useState<Broken>(new Map());
  const isWide = useMediaQuery('(min-width: 900px)', true);
  const [wantsThumbnails, setWantsThumbnails] = useState<boolean | null>(null);
  const hasThumbnails = !isBare && (wantsThumbnails ?? (isWide && document.numPages > 1));
  const container = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const viewer = useRef<PageViewer | null>(null);
  const label = useEffectEvent((number: number) => t('viewers.pdf.pageLabel', { page: number }));
  const iconLabel = useEffectEvent((kind: 'note' | 'attachment', text: string) =>
    text === '' ? t(`viewers.pdf.icon.${kind}`) : t(`viewers.pdf.icon.${kind}Text`, { text }),
  );
  useEffect(() => {
    if (container.current === null) return undefined;
    const shown = showPages({
      container: container.current,
      document,
      pageLabel: (number) => label(number),
      iconLabel: (kind, text) => iconLabel(kind, text),
      onPage: setPage,
      onScale: setScale,
      onFind: setFound,
      onDrawn: (number, outcome) => setBroken((before) => withOutcome(before, number, outcome)),
    });
    viewer.current = shown;
    return () => {
      viewer.current = null;
      shown.close();
    };
  }, [document]);

  const find = (text: string, go: 'first' | 'next' | 'previous'): void => {
    setSearchText(text);
    if (text === '') setFound(null);
    viewer.current?.find(text, go);
  };
  const press = (event: KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.key.toLowerCase() === 'f') {
      // Otherwise the shortcut would search the folder behind the dialog.
      event.preventDefault();
      event.stopPropagation();
      field.current?.select();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.altKey) return;
    const by =
      event.key === '+' || event.key === '=' ? 1 : event.key === '-' ? -1 : event.key === '0' ? 0 : null;
    if (by === null) return;
    event.preventDefault();
    viewer.current?.zoom(by);
  };
  const outcome = broken.get(page);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys of the focused elements inside
    <div className={frame.frameContent} onKeyDown={press}>
      <ViewerFrame
        failure={failure}
        notes={outcome === undefined ? [] : [t(`viewers.pdf.broken.${outcome}`, { page })]}
        toolbar={
          <PdfTools
            page={page}
            pages={document.numPages}
            scale={scale}
            searchText={searchText}
            found={found}
            field={field}
            hasThumbnails={hasThumbnails}
            onThumbnails={() => setWantsThumbnails(!hasThumbnails)}
            onPage={(number) => viewer.current?.showPage(number)}
            onZoom={(by) => viewer.current?.zoom(by)}
            onFind={find}
          />
        }
      >
        <div className={classes.split}>
          {hasThumbnails ? (
            <PdfThumbnails
              document={document}
              page={page}
              onPage={(number) => viewer.current?.showPage(number)}
            />
          ) : null}
          <div className={classes.pdfStage}>
            <div
              ref={container}
              className={classes.pages}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
              tabIndex={0}
              role="document"
              aria-label={name}
              data-keeps-arrows
            >
              <div className="pdfViewer" />
            </div>
          </div>
        </div>
      </ViewerFrame>
    </div>
  );
}

type Broken = ReadonlyMap<number, Exclude<PageOutcome, 'whole'>>;

function withOutcome(broken: Broken, page: number, outcome: PageOutcome): Broken {
  if ((broken.get(page) ?? 'whole') === outcome) return broken;
  const next = new Map(broken);
  if (outcome === 'whole') next.delete(page);
  else next.set(page, outcome);
  return next;
}
