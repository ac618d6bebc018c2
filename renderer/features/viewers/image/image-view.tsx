import { ImageOff } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { useWhole } from '../frame/use-whole.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import classes from '../viewers.module.css';
import { imageTypeOf } from './image-type.ts';

/** An image element runs no script, not even that of an SVG. */
export function ImageView({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  if (error !== null)
    return (
      <ViewerFrame>
        <ErrorNotice variant="page" error={appErrorOf(error)} onRetry={() => void refetch()} />
      </ViewerFrame>
    );
  if (data === undefined) return <ViewerLoading />;
  return <Drawn bytes={data} name={file.name} />;
}

function Drawn({ bytes, name }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const type = imageTypeOf(bytes);
  const draw = useCallback(
    (image: HTMLImageElement) => {
      if (type === null) return undefined;
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      image.src = address;
      return () => {
        URL.revokeObjectURL(address);
      };
    },
    [bytes, type],
  );
  if (failed || type === null)
    return (
      <ViewerFrame>
        <EmptyState
          icon={<ImageOff size={28} />}
          title={t('viewers.image.failed')}
          body={t('viewers.image.failedBody')}
        />
      </ViewerFrame>
    );
  return (
    <ViewerFrame>
      <img
        ref={draw}
        alt={name}
        className={classes.image}
        onError={() => {
          setFailed(true);
        }}
      />
    </ViewerFrame>
  );
}
