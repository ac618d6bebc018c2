import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './preview.module.css';

/** An image element runs no script, not even that of an SVG. */
export function ImagePreview({ path, name }: { readonly path: string; readonly name: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <EmptyState
        icon={<ImageOff size={28} />}
        title={t('objects.preview.imageFailed')}
        body={t('objects.preview.imageFailedBody')}
      />
    );
  return (
    <img
      src={path}
      alt={name}
      className={classes.image}
      onError={() => {
        setFailed(true);
      }}
    />
  );
}
