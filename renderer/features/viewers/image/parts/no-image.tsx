import { ImageOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { ViewerFrame } from '../../frame/frame.tsx';
import { maxPixels } from '../worker/image-limits.ts';

/** Says why an image is not shown. */
export function NoImage({ why }: { readonly why: 'failed' | 'unknown' | 'pixels' | 'work' }) {
  const { t, i18n } = useTranslation();
  const limit = new Intl.NumberFormat(i18n.language).format(maxPixels / 1_000_000);
  return (
    <ViewerFrame>
      <EmptyState
        icon={<ImageOff size={28} />}
        title={t(`viewers.image.${why}`)}
        body={t(`viewers.image.${why}Body`, { limit })}
      />
    </ViewerFrame>
  );
}
