// oxlint-disable-next-line typescript/triple-slash-reference -- modules that are declared cannot be imported
/// <reference path="../libraries.d.ts" />
import { AnnotationType, type PDFPageProxy } from 'pdfjs-dist';
import partsAddress from 'virtual:pdf-parts';
import classes from '../pictures.module.css';

/** Names an icon for screen readers and for the pointer. */
export type IconLabel = (kind: 'note' | 'attachment', text: string) => string;

interface Annotation {
  readonly annotationType: number;
  readonly hasAppearance: boolean;
  readonly annotationFlags: number;
  readonly rect: readonly number[];
  /** The name of its icon. */
  readonly name?: unknown;
  readonly contentsObj?: { readonly str: string };
  readonly file?: { readonly filename: string };
}

/** The names of the note icons that pdf.js includes. */
const noteIcons: ReadonlySet<string> = new Set(
  'check comment help insert key newparagraph noicon note paragraph'.split(' '),
);
/** PDF 2.0, table 167. */
const hiddenFlag = 2;
const maxIcons = 1000;
const maxTextLength = 1000;

/**
 * Draws the icons of notes and attached files over a page. The annotation layer of pdf.js would add links and fields too.
 *
 * @param annotations As `getAnnotations` of the page gives them.
 * @param labelOf Null for a small page, which a button names as a whole.
 */
export function drawAnnotationIcons(
  annotations: readonly unknown[],
  page: PDFPageProxy,
  element: HTMLElement,
  labelOf: IconLabel | null,
): void {
  const view = page.getViewport({ scale: 1 });
  const icons: HTMLImageElement[] = [];
  for (const annotation of annotations as readonly Annotation[]) {
    const icon = iconOf(annotation);
    if (icon === null || icons.length >= maxIcons) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect;
    const [x1 = 0, y1 = 0] = view.convertToViewportPoint(left, top) as readonly number[];
    const [x2 = 0, y2 = 0] = view.convertToViewportPoint(right, bottom) as readonly number[];
    const image = document.createElement('img');
    image.className = classes['icon'] ?? '';
    image.src = `${partsAddress}web/images/annotation-${icon.name}.svg`;
    image.alt = labelOf?.(icon.kind, icon.text.slice(0, maxTextLength)) ?? '';
    image.title = image.alt;
    Object.assign(image.style, {
      left: percent(Math.min(x1, x2), view.width),
      top: percent(Math.min(y1, y2), view.height),
      width: percent(Math.abs(x2 - x1), view.width),
      height: percent(Math.abs(y2 - y1), view.height),
    });
    icons.push(image);
  }
  for (const oldIcon of element.querySelectorAll(`:scope > .${classes['icon'] ?? ''}`)) oldIcon.remove();
  element.append(...icons);
}

interface Icon {
  readonly kind: 'note' | 'attachment';
  readonly name: string;
  readonly text: string;
}

/** Returns the icon of a note or an attached file that has no appearance (PDF 2.0, 12.5.6.4 and 12.5.6.15). */
function iconOf({
  annotationType,
  hasAppearance,
  annotationFlags,
  name,
  contentsObj,
  file,
}: Annotation): Icon | null {
  if (hasAppearance || (annotationFlags & hiddenFlag) !== 0) return null;
  const text = contentsObj?.str ?? '';
  const iconName = typeof name === 'string' ? name.toLowerCase() : '';
  if (annotationType === AnnotationType.TEXT)
    return { kind: 'note', name: noteIcons.has(iconName) ? iconName : 'note', text };
  if (annotationType === AnnotationType.FILEATTACHMENT)
    return {
      kind: 'attachment',
      name: iconName.includes('paperclip') ? 'paperclip' : 'pushpin',
      text: file?.filename ?? text,
    };
  return null;
}

function percent(part: number, whole: number): string {
  return `${String((100 * part) / whole)}%`;
}
