// oxlint-disable-next-line typescript/triple-slash-reference -- modules that are declared cannot be imported
/// <reference path="./pdf-parts.d.ts" />
import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- an address, made by vite
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

export interface PdfAsks {
  /** Called if the document is locked; the password goes to `take`. `isWrong`: the last one did not open it. */
  readonly onPassword: (take: (password: string) => void, isWrong: boolean) => void;
  /** Reports a failed read. Without these bytes the document does not change. */
  readonly onUnread: (thrown: unknown) => void;
}

/** Opens a PDF, which is read by ranges as its pages are shown. */
export function openPdf(source: RangeSource, { onPassword, onUnread }: PdfAsks): OpenPdf {
  const aborter = new AbortController();
  const transport = new SourceTransport(source, aborter.signal, onUnread);
  const task = getDocument({
    range: transport,
    rangeChunkSize: chunkBytes,
    disableAutoFetch: true,
    disableStream: true,
    ...partAddresses(),
    disableFontFace: false,
  });
  task.onPassword = (take: (password: string) => void, reason: number) => {
    onPassword(take, reason === wrongPassword);
  };
  return {
    document: task.promise.then(withAnnotations).then(withFirstPage),
    close: () => {
      aborter.abort();
      void task.destroy();
    },
  };
}

/**
 * Draws what annotations and form fields show as part of each page. The mode of the viewer would also build elements for their
 * links, fields and scripts (PDFPageView of pdf.js: one option for both).
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

/** Checks the first page: a document may open although none of its pages can be read. */
async function withFirstPage(document: PDFDocumentProxy): Promise<PDFDocumentProxy> {
  await document.getPage(1);
  return document;
}

/**
 * Returns the addresses of the parts of pdf.js. Its worker fetches them itself: the worker's policy allows the decoders, the
 * window's does not.
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

class SourceTransport extends PDFDataRangeTransport {
  readonly #source: RangeSource;
  readonly #signal: AbortSignal;
  readonly #onUnread: (thrown: unknown) => void;

  constructor(source: RangeSource, signal: AbortSignal, onUnread: (thrown: unknown) => void) {
    super(source.sizeBytes, null);
    this.#source = source;
    this.#signal = signal;
    this.#onUnread = onUnread;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#source.read(begin, end - begin, this.#signal).then(
      (bytes) => {
        // A copy: pdf.js transfers the bytes, and a source may share them.
        if (!this.#signal.aborted) this.onDataRange(begin, bytes.slice());
        return null;
      },
      (thrown: unknown) => {
        if (!this.#signal.aborted) this.#onUnread(thrown);
      },
    );
  }
}
