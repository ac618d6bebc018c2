import { AnnotationMode, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import {
  EventBus,
  FindState,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from 'pdfjs-dist/web/pdf_viewer.mjs';
import { drawAnnotationIcons, type IconLabel } from './annotation-icons.ts';

export interface FindStatus {
  /** The number of matches found so far, and the number of the shown match from 1, or 0 without a match. */
  readonly total: number;
  readonly current: number;
  /** True while pages are being searched. */
  readonly isSearching: boolean;
}

export interface PageViewer {
  readonly showPage: (page: number) => void;
  readonly zoom: (by: -1 | 0 | 1) => void;
  /** Finds the first match of a text, or the match after or before the shown one. */
  readonly find: (text: string, go: 'first' | 'next' | 'previous') => void;
  readonly close: () => void;
}

export interface PageViewerOptions {
  readonly container: HTMLDivElement;
  readonly document: PDFDocumentProxy;
  /** Returns the label of a page for screen readers. */
  readonly pageLabel: (page: number) => string;
  readonly iconLabel: IconLabel;
  readonly onPage: (page: number) => void;
  /** Reports the scale. At 1, pages have their printed size. */
  readonly onScale: (scale: number) => void;
  readonly onFind: (status: FindStatus) => void;
  /** Reports the outcome of drawing a page. */
  readonly onDrawn: (page: number, outcome: PageOutcome) => void;
}

/** The outcome of drawing a page. `pictures` means that some pictures are missing, since they could not be decoded. */
export type PageOutcome = 'whole' | 'pictures' | 'failed';

type ViewerOptions = ConstructorParameters<typeof PDFViewer>[0];

/** Limit of a page's canvas. Each pixel takes four bytes, and some ten pages are kept. */
const canvasPixelLimit = 2 ** 24;
const smallestScale = 0.25;
const largestScale = 5;

/** Shows the pages of a document one below the other, in the viewer of pdf.js. Scripts, forms and links are left out. */
export function showPages(viewerOptions: PageViewerOptions): PageViewer {
  const { container, document, pageLabel, iconLabel, onPage, onScale, onFind, onDrawn } = viewerOptions;
  const aborter = new AbortController();
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const findController = new PDFFindController({ linkService, eventBus });
  const options = {
    container,
    eventBus,
    linkService,
    findController,
    annotationMode: AnnotationMode.DISABLE,
    enableAutoLinking: false,
    supportsPinchToZoom: false,
    removePageBorders: true,
    maxCanvasPixels: canvasPixelLimit,
    l10n: silent as unknown as NonNullable<ViewerOptions['l10n']>,
    abortSignal: aborter.signal,
  };
  const viewer = new PDFViewer(options);
  linkService.setViewer(viewer);
  eventBus.on('pagesinit', () => {
    for (const [index, page] of [...(viewer.viewer?.children ?? [])].entries())
      page.setAttribute('aria-label', pageLabel(index + 1));
    viewer.currentScaleValue = 'page-width';
    if (viewer.currentScale > 1.5) viewer.currentScaleValue = '1.5';
  });
  eventBus.on('pagechanging', ({ pageNumber }: { readonly pageNumber: number }) => {
    onPage(pageNumber);
    // The viewer leaves a page with an unreadable object blank.
    document.getPage(pageNumber).catch(() => onDrawn(pageNumber, 'failed'));
  });
  eventBus.on('scalechanging', ({ scale }: { readonly scale: number }) => onScale(scale));
  eventBus.on('pagerendered', ({ pageNumber, source, error }: PageRendered) => {
    onDrawn(pageNumber, error === null ? outcomeOf(source.pdfPage) : 'failed');
    const { pdfPage: page, div } = source;
    page?.getAnnotations({ intent: 'display' }).then(
      (annotations) => drawAnnotationIcons(annotations, page, div, iconLabel),
      () => {
        if (!aborter.signal.aborted) onDrawn(pageNumber, 'failed');
      },
    );
  });
  let isSearching = false;
  const tellMatches = ({ matchesCount }: FoundMatches): void => onFind({ ...matchesCount, isSearching });
  eventBus.on('updatefindmatchescount', tellMatches);
  eventBus.on('updatefindcontrolstate', (found: FoundMatches & { readonly state: number }) => {
    isSearching = found.state === FindState.PENDING;
    tellMatches(found);
  });

  linkService.setDocument(document);
  viewer.setDocument(document);
  return {
    showPage: (page) => {
      viewer.currentPageNumber = Math.min(Math.max(1, page), document.numPages);
    },
    zoom: (by) => {
      if (by === 0) {
        viewer.currentScaleValue = 'page-width';
        return;
      }
      const next = viewer.currentScale * (by === 1 ? 1.2 : 1 / 1.2);
      viewer.currentScale = Math.min(largestScale, Math.max(smallestScale, next));
    },
    find: (text, go) => {
      eventBus.dispatch('find', {
        type: go === 'first' ? '' : 'again',
        query: text,
        highlightAll: true,
        caseSensitive: false,
        entireWord: false,
        findPrevious: go === 'previous',
        matchDiacritics: false,
      });
    },
    close: () => {
      // Detaches the document. Its owner closes the document, which stops drawing and text extraction.
      linkService.setDocument(null);
      viewer.setDocument(null);
      viewer.cleanup();
      aborter.abort();
      // The viewer sets this property at the root and never removes it (pdf_viewer.mjs, updateContainerHeightCss).
      globalThis.document.documentElement.style.removeProperty('--viewer-container-height');
    },
  };
}

interface FoundMatches {
  readonly matchesCount: Pick<FindStatus, 'current' | 'total'>;
}

interface PageRendered {
  readonly pageNumber: number;
  readonly source: { readonly pdfPage: PDFPageProxy | null; readonly div: HTMLElement };
  readonly error: unknown;
}

/**
 * Returns the outcome of drawing a page. pdf.js leaves out pictures that it could not decode, and keeps null in their place.
 */
function outcomeOf(page: PDFPageProxy | null): PageOutcome {
  if (page === null) return 'whole';
  const objects = [page.objs, page.commonObjs] as unknown as readonly Iterable<readonly [string, unknown]>[];
  const isMissing = objects.some((named) => [...named].some(([, object]) => object === null));
  return isMissing ? 'pictures' : 'whole';
}

/** Stops the viewer from loading its own texts from the network. */
const silent = {
  getLanguage: () => 'en-us',
  getDirection: () => 'ltr',
  get: async () => await Promise.resolve(''),
  translate: async () => await Promise.resolve(),
  translateOnce: async () => await Promise.resolve(),
  destroy: async () => await Promise.resolve(),
  pause: () => undefined,
  resume: () => undefined,
};
