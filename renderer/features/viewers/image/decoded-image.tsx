// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../libraries.d.ts" />
import { ImageOff } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import decoder from 'virtual:heic-decoder';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { askOnce } from '../../../ui/asked-worker.ts';
import { useViewerActions, ViewerFrame, ViewerLoading } from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import classes from '../pictures.module.css';
import frame from '../viewers.module.css';
import { PageTools } from '../text/tools.tsx';
import { FactList, NoImage, Picture, useFacts } from './stage/picture.tsx';
import { askImageWorker } from './worker/ask-image-worker.ts';
import type { DecodedPicture, HeicQuestion, ImageResponse } from './worker/image-messages.ts';

export interface StoredImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

/** Shows a HEIC, decoded in a worker. */
export function HeicImage({ bytes, name }: StoredImage) {
  const { data, error } = useRead(async (signal) => await askHeicWorker(bytes, signal));
  if (error !== null) return <FactsAlone bytes={bytes} />;
  if (data === undefined) return <ViewerLoading />;
  if (data.kind === 'too-many-pixels') return <NoImage why="pixels" />;
  if (data.kind !== 'picture') return <FactsAlone bytes={bytes} />;
  const { width, height } = data.picture;
  return (
    <Picture bytes={bytes} name={name} size={{ width, height }}>
      <Painted picture={data.picture} name={name} />
    </Picture>
  );
}

/** Shows where, when and with what an image was taken if the decoder cannot show the image itself. */
function FactsAlone({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> }) {
  const { t } = useTranslation();
  const { isBare = false } = useViewerActions();
  const facts = useFacts(bytes, !isBare);
  return (
    <ViewerFrame>
      <div className={classes.split}>
        <div className={classes.imageLoading}>
          <EmptyState
            icon={<ImageOff size={28} />}
            title={t('viewers.image.failed')}
            body={t('viewers.image.failedBody')}
          />
        </div>
        {facts.length === 0 ? null : <FactList facts={facts} />}
      </div>
    </ViewerFrame>
  );
}

/** Shows a TIFF page by page, decoded in a worker. */
export function TiffImage({ bytes, name }: StoredImage) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const { data, error } = useRead(
    async (signal) => await askImageWorker({ kind: 'tiff', bytes, page }, signal),
    [page],
  );
  if (error !== null) return <NoImage why="failed" />;
  if (data === undefined) return <ViewerLoading />;
  if (data.kind === 'too-many-pixels') return <NoImage why="pixels" />;
  if (data.kind === 'unknown') return <NoImage why="unknown" />;
  if (data.kind !== 'picture') return <NoImage why="failed" />;
  const { picture } = data;
  const { width, height, pages } = picture;
  return (
    <Picture
      bytes={bytes}
      name={name}
      size={{ width, height }}
      tools={
        pages === 1 ? null : (
          <PageTools page={page + 1} pages={pages} onPage={(number) => setPage(number - 1)}>
            <span className={frame.toolText} role="status">
              {t('viewers.pdf.page', { page: page + 1, pages })}
            </span>
          </PageTools>
        )
      }
    >
      <Painted picture={picture} name={name} key={page} />
    </Picture>
  );
}

/** Shows an image that Cooper has decoded, on a canvas. */
function Painted({ picture, name }: { readonly picture: DecodedPicture; readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const { width, height, rgba } = picture;
    canvas.current.width = width;
    canvas.current.height = height;
    canvas.current.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={name} />;
}

/** Time without a message after which the worker is terminated. A phone's 48 megapixels take seconds on a slow processor. */
const maxSilentMs = 30_000;

/** Decodes a HEIC in a new worker. */
async function askHeicWorker(bytes: Uint8Array, signal: AbortSignal): Promise<ImageResponse> {
  signal.throwIfAborted();
  // Copies the bytes, since the camera's metadata is read from the original.
  const copy = new Uint8Array(bytes);
  const response = await askOnce<HeicQuestion, ImageResponse>(
    new Worker(new URL('./heic/heic-worker.ts', import.meta.url), { type: 'module' }),
    { bytes: copy, decoder },
    { signal, transfer: [copy.buffer], silentMs: maxSilentMs },
  );
  return response ?? { kind: 'damaged' };
}
