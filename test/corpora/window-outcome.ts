import type { Locator } from '@playwright/test';

export interface WindowOutcome {
  readonly viewer: string;
  /** `blank`: drawn in a single color. `stuck`: still loading after the time limit. */
  readonly result: 'shown' | 'blank' | 'refused' | 'stuck';
  /** The sentences about the file, as the window shows them. */
  readonly detail: string;
}

const limitMs = 30_000;

/** Waits until the preview has loaded, and returns what a person would see. */
export async function outcomeInWindow(dialog: Locator): Promise<WindowOutcome> {
  return await dialog.evaluate(async (element, waitMs): Promise<WindowOutcome> => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- this function runs in the page, where no other exists
    const frame = async (): Promise<void> => {
      await new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve, 50));
      });
    };
    const viewer = (): string =>
      element.querySelector('[data-viewer]')?.getAttribute('data-viewer') ?? 'none';
    const isLoading = (): boolean => element.querySelector('[role="status"] .mantine-Loader-root') !== null;
    /** Returns the first page, image or canvas of the content, or null until it is drawn. */
    const drawn = (): HTMLCanvasElement | HTMLImageElement | null => {
      const pdf = element.querySelector('.pdfViewer');
      if (pdf !== null)
        return pdf.querySelector<HTMLCanvasElement>('.page[data-loaded="true"]:not(.loadingIcon) canvas');
      const image = element.querySelector<HTMLImageElement>('[role="group"] img');
      if (image !== null) return image.complete && image.naturalWidth > 0 ? image : null;
      return element.querySelector<HTMLCanvasElement>('[role="group"] canvas');
    };
    const isDrawing = (): boolean =>
      element.querySelector('.pdfViewer, [role="group"] img, [role="group"] canvas') !== null &&
      drawn() === null;
    const sentences = (): string => {
      const notes = element.querySelectorAll('[role="note"], [role="alert"]');
      const title = element.querySelector('[data-viewer] h2');
      return Array.from([...notes, ...(title === null ? [] : [title.parentElement ?? title])], (element) =>
        (element as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim(),
      ).join(' | ');
    };
    const endMs = performance.now() + waitMs;
    let before = '';
    let same = 0;
    while (same < 4) {
      if (performance.now() > endMs)
        return { viewer: viewer(), result: 'stuck', detail: element.textContent.slice(0, 200) };
      await frame();
      const now = element.textContent;
      same = !isLoading() && !isDrawing() && now === before ? same + 1 : 0;
      before = now;
    }
    const picture = drawn();
    const isText = element.querySelector(
      '[role="grid"], [role="treegrid"], [role="tree"], pre, table, video, audio, .cm-editor',
    );
    if (picture === null)
      return { viewer: viewer(), result: isText === null ? 'refused' : 'shown', detail: sentences() };
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 64;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(picture, 0, 0, 64, 64);
    const pixels = context?.getImageData(0, 0, 64, 64).data ?? new Uint8ClampedArray();
    const isBlank = pixels.every((value, at) => value === pixels[at % 4]);
    return { viewer: viewer(), result: isBlank ? 'blank' : 'shown', detail: sentences() };
  }, limitMs);
}
