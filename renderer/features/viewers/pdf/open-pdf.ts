// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../libraries.d.ts" />
import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite turns this import into an address
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import partsAddress from 'virtual:pdf-parts';
import type { RangeSource } from '../frame/range-source.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Bytes read at a time. Neighbouring ranges are requested together. */
const chunkBytes = 128 * 1024;

export interface OpenPdf {
  /** Rejects with the error of pdf.js for a damaged file. Failed reads are reported to `onUnread`. */
  readonly document: Promise<PDFDocumentProxy>;
  readonly close: () => void;
}

export interface PdfCallbacks {
  /** Called if the document is locked. `take` expects the password; `isWrong` is true if the last password was wrong. */
  readonly onPassword: (take: (password: string) => void, isWrong: boolean) => void;
  /** Reports a failed read, for whose bytes pdf.js keeps waiting. */
  readonly onUnread: (thrown: unknown) => void;
}

/** Opens a PDF. Reads ranges of it as pages are shown. */
export function openPdf(source: RangeSource, { onPassword, onUnread }: PdfCallbacks): OpenPdf {
  const aborter = new AbortController();
  const { signal } = aborter;
  const transport = new PDFDataRangeTransport(source.sizeBytes, null);
  transport.requestDataRange = (begin, end) => {
    source.read(begin, end - begin, signal).then(
      (bytes) => {
        // Copies the bytes. pdf.js transfers them, and the source may share them with other readers.
        if (!signal.aborted) transport.onDataRange(begin, bytes.slice());
        return null;
      },
      (thrown: unknown) => {
        if (!signal.aborted) onUnread(thrown);
      },
    );
  };
  const task = getDocument({
    range: transport,
    rangeChunkSize: chunkBytes,
    disableAutoFetch: true,
    disableStream: true,
    ...partAddresses(),
    disableFontFace: false,
  });
  task.onPassword = (take: (password: string) => void, reason: number) =>
    onPassword(take, reason === wrongPassword);
  return {
    document: task.promise.then(withAnnotations).then(withFirstPage),
    close: () => {
      aborter.abort();
      void task.destroy();
    },
  };
}

/**
 * Makes pages draw the appearance of annotations and form fields. The viewer's option would also create elements for their links,
 * fields and scripts (PDFPageView of pdf.js has one option for both).
 */
function withAnnotations(document: PDFDocumentProxy): PDFDocumentProxy {
  const getPage = document.getPage.bind(document);
  const prepared = new WeakSet<PDFPageProxy>();
  document.getPage = async (number) => {
    const page = await getPage(number);
    if (prepared.has(page)) return page;
    prepared.add(page);
    const render = page.render.bind(page);
    page.render = (params) => render({ ...params, annotationMode: AnnotationMode.ENABLE });
    return page;
  };
  return document;
}

/** Waits for the first page, since a document may open although all its pages are unreadable. */
async function withFirstPage(document: PDFDocumentProxy): Promise<PDFDocumentProxy> {
  await document.getPage(1);
  return document;
}

/**
 * Returns the addresses of the files that pdf.js loads on demand. Its worker fetches them itself, since the CSP of the worker
 * allows the decoders, unlike that of the window.
 */
function partAddresses() {
  const address = new URL(partsAddress, globalThis.location.href).href;
  return {
    useWorkerFetch: true,
    useWasm: true,
    cMapUrl: `${address}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${address}standard_fonts/`,
    wasmUrl: `${address}wasm/`,
    iccUrl: `${address}iccs/`,
  } as const;
}

/** PasswordResponses.INCORRECT_PASSWORD of pdf.js. */
const wrongPassword = 2;
