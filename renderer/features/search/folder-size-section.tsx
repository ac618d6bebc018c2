import { Button } from '@mantine/core';
import { ChartBarBig, Sigma } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import type { SearchWhere } from './search-services.ts';
import { SizeByClass, SizeFacts } from './size-facts.tsx';
import { openFolderSize } from './size-dialogs.ts';
import { useFolderSize } from './use-walk.ts';
import classes from './size.module.css';

/** Shows the size of a folder in its details. Counts it on request. */
export function FolderSizeSection({ where }: { readonly where: SearchWhere }) {
  const { t } = useTranslation();
  const size = useFolderSize(where);
  return (
    <section className={classes.section} aria-label={t('search.sizeOf.section')}>
      <h3 className={joinClasses(common.quiet, common.strong, classes.heading)}>
        {t('search.sizeOf.section')}
      </h3>
      {size.status === null ? (
        <>
          <p className={joinClasses(common.hint, common.numbers, classes.quiet)}>
            {t('search.sizeOf.notYet')}
          </p>
          <Button
            variant="default"
            disabled={size.isPending}
            leftSection={<Sigma size={14} aria-hidden />}
            onClick={size.calculate}
          >
            {t('search.sizeOf.calculate')}
          </Button>
        </>
      ) : (
        <>
          <SizeFacts status={size.status} onStop={size.stop} onAgain={size.calculate} />
          <SizeByClass status={size.status} />
          <Button
            variant="default"
            leftSection={<ChartBarBig size={14} aria-hidden />}
            onClick={() => openFolderSize(where)}
          >
            {t('search.sizeOf.details')}
          </Button>
        </>
      )}
    </section>
  );
}
