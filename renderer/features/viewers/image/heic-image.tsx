import { useQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useViewerActions, ViewerFrame } from '../frame/frame.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { askHeicWorker } from './heic/ask-heic-worker.ts';
import { FactList, useFacts } from './stage/image-facts.tsx';
import { NoImage } from './parts/no-image.tsx';
import { Painted } from './stage/painted.tsx';
import { Picture } from './stage/picture.tsx';
import classes from '../pictures.module.css';

interface HeicImageProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

/** Shows a HEIC, decoded in a worker. */
export function HeicImage({ bytes, name }: HeicImageProps) {
  const id = useId();
  const { data, error } = useQuery({
    queryKey: ['viewer-heic', id],
    queryFn: async ({ signal }) => await askHeicWorker(bytes, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
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
