import { lazy, memo, Suspense } from 'react';
import type { SearchPageProps } from './search-page.tsx';
import type { SearchWhere } from './search-services.ts';
import { closeFolderSize, openFolderSize, useOpenFolderSize } from './size-store.ts';

const LazyPage = lazy(async () => ({ default: (await import('./search-page.tsx')).SearchPage }));
const LazyDialog = lazy(async () => ({
  default: (await import('./folder-size-dialog.tsx')).FolderSizeDialog,
}));
const LazySection = lazy(async () => ({
  default: (await import('./folder-size-section.tsx')).FolderSizeSection,
}));

/** A search in a tab. */
export function SearchView(props: SearchPageProps) {
  return (
    <Suspense fallback={null}>
      <LazyPage {...props} />
    </Suspense>
  );
}

/** The size of a folder among its details. */
export function FolderSize({ where }: { readonly where: SearchWhere }) {
  return (
    <Suspense fallback={null}>
      <LazySection key={JSON.stringify(where)} where={where} />
    </Suspense>
  );
}

/** Draws what openFolderSize asked for. Mounted once, by the application. */
export const FolderSizeDialogs = memo(function FolderSizeDialogs({
  onOpenFolder,
}: {
  readonly onOpenFolder: (where: SearchWhere) => void;
}) {
  const { request, serial } = useOpenFolderSize();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <LazyDialog
        key={serial}
        where={request}
        onShow={openFolderSize}
        onOpenFolder={(folder) => {
          closeFolderSize();
          onOpenFolder(folder);
        }}
        onClose={closeFolderSize}
      />
    </Suspense>
  );
});
