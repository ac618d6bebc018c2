import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import createPurifier from 'dompurify';
import type { ObjectRef } from '../../../../shared/models/objects.ts';
import { isPaidClass } from '../../../../shared/models/storage-classes.ts';
import { appErrorOf, isCancelled } from '../../../rpc/errors.ts';
import { rpc } from '../../../rpc/client.ts';
import { askOnce } from '../../../ui/asked-worker.ts';
import common from '../../../ui/common.module.css';
import { nextTask } from '../../../ui/next-task.ts';
import { TooComplexNotice, ViewerFailed, ViewerFrame, ViewerLoading } from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { decodeText } from '../encoding/text-encoding.ts';
import { EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { imageTypeOf } from '../image/parts/image-type.ts';
import { svgWorkOf } from '../image/worker/ask-image-worker.ts';
import { maxSvgWork } from '../image/worker/image-messages.ts';
import { objectSource } from '../frame/object-source.ts';
import classes from '../texts.module.css';
import { maxPictures, pictureKey } from './picture-key.ts';

const tags =
  'h1 h2 h3 h4 h5 h6 p a ul ol li blockquote code pre em i strong b del s hr br table thead tbody tr th td img sup sub kbd ' +
  'details summary dl dt dd';

/** The attribute with the path of a picture, whose element gets no `src`. */
const pathAttribute = 'data-path';

/**
 * Returns a function that sanitizes HTML made from Markdown. It keeps only harmless elements, without addresses, styles, ids or
 * event handlers. It works in a detached document, since a live document would fetch pictures at once.
 */
function markdownSanitizer(): (html: string) => DocumentFragment {
  const purifier = createPurifier(globalThis.window);
  purifier.addHook('beforeSanitizeAttributes', (node) => {
    if (node.nodeName === 'IMG') node.setAttribute(pathAttribute, node.getAttribute('src') ?? '');
    // Links do not work, so the title shows the address instead.
    if (node.nodeName === 'A') node.setAttribute('title', node.getAttribute('href') ?? '');
  });
  return (html) =>
    purifier.sanitize(html, {
      ALLOWED_TAGS: tags.split(' '),
      ALLOWED_ATTR: ['alt', 'title', 'align', 'start', 'colspan', 'rowspan', pathAttribute],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    });
}

const maxPictureBytes = 10_000_000;

/** Shows rendered Markdown. Loads pictures only from the object's folder or folders below it. Links do not work. */
export function MarkdownView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { chosen, choose } = useEncoding(file);
  const { data, error, refetch } = useRead(
    async (signal) => {
      const bytes = await file.source.read(0, file.source.sizeBytes, signal);
      const found = detectEncoding(bytes, chosen);
      const pieces = await piecesOf(decodeText(bytes, found), signal);
      return { pieces, encoding: found.encoding };
    },
    [chosen],
  );
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  const { pieces, encoding } = data;
  if (pieces === null) return <TooComplexNotice />;
  return (
    <ViewerFrame
      toolbar={
        <>
          <EncodingSelect encoding={encoding} onEncoding={choose} />
          <span className={common.hint}>{t('viewers.markdown.hint')}</span>
        </>
      }
    >
      <Page pieces={pieces} name={file.name} textRef={file.object?.ref ?? null} />
    </ViewerFrame>
  );
}

interface PageProps {
  /** Unsanitized HTML. */
  readonly pieces: readonly string[];
  readonly name: string;
  /** The object that contains the text, or null inside an archive, where pictures are not loaded. */
  readonly textRef: ObjectRef | null;
}

function Page({ pieces, name, textRef }: PageProps) {
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current;
    if (element === null) return undefined;
    const aborter = new AbortController();
    const addresses: string[] = [];
    const draw = async (): Promise<void> => {
      await drawPage(element, pieces, aborter.signal);
      if (textRef !== null) await drawPictures(element, textRef, addresses, aborter.signal);
    };
    void draw();
    return () => {
      aborter.abort();
      for (const address of addresses) URL.revokeObjectURL(address);
    };
  }, [pieces, textRef]);
  return (
    <div
      ref={page}
      className={classes.markdown}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
      tabIndex={0}
      role="document"
      aria-label={t('viewers.title', { name })}
      data-keeps-arrows
    />
  );
}

/** Shows each piece in a separate task, so that a long text does not block the window. */
async function drawPage(page: HTMLElement, pieces: readonly string[], signal: AbortSignal): Promise<void> {
  const sanitized = markdownSanitizer();
  page.replaceChildren();
  for (const piece of pieces) {
    if (signal.aborted) return;
    page.append(sanitized(piece));
    await nextTask();
  }
}

/** Loads pictures one at a time. An unavailable picture keeps its alternative text. */
async function drawPictures(
  page: HTMLElement,
  textRef: ObjectRef,
  addresses: string[],
  signal: AbortSignal,
): Promise<void> {
  const images = Array.from(page.querySelectorAll<HTMLImageElement>(`img[${pathAttribute}]`)).slice(
    0,
    maxPictures,
  );
  // The limit on SVG drawing effort applies to all images on a page together.
  let workLeft = maxSvgWork;
  for (const image of images) {
    const key = pictureKey(textRef.key, image.getAttribute(pathAttribute) ?? '');
    if (signal.aborted) return;
    const picture = key === null ? null : await pictureOf({ ...textRef, key }, signal);
    if (signal.aborted) return;
    if (picture === null) continue;
    if (picture.type === 'image/svg+xml') {
      const work = await svgWorkOf(new Uint8Array(await picture.arrayBuffer()), signal);
      if (work > workLeft) continue;
      workLeft -= work;
    }
    const address = URL.createObjectURL(picture);
    addresses.push(address);
    image.src = address;
  }
}

async function pictureOf(ref: ObjectRef, signal: AbortSignal): Promise<Blob | null> {
  const { connectionId, bucket, key } = ref;
  const current: ObjectRef = { connectionId, bucket, key };
  try {
    const found = await rpc.objects.preview(current);
    if (found.kind !== 'object' || found.sizeBytes > maxPictureBytes || isPaidClass(found.storageClass))
      return null;
    const { source } = objectSource(current, found);
    const bytes = await source.read(0, source.sizeBytes, signal);
    const type = imageTypeOf(bytes);
    return type === null ? null : new Blob([bytes], { type });
  } catch (thrown) {
    // A missing or forbidden picture keeps its alternative text. Only unexpected errors are reported.
    if (signal.aborted || isCancelled(thrown) || appErrorOf(thrown).code !== 'internal') return null;
    throw thrown;
  }
}

/** Parses Markdown in a worker, which is terminated if it takes too long. Returns null if the text is too complex. */
async function piecesOf(text: string, signal: AbortSignal): Promise<readonly string[] | null> {
  return await askOnce<string, readonly string[] | null>(
    new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' }),
    text,
    { signal },
  );
}
