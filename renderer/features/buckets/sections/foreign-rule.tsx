import { useTranslation } from 'react-i18next';
import { Notice } from '../parts/notice.tsx';
import classes from '../parts/buckets.module.css';

/** Shows a rule that the form cannot show in full. The rule is kept unchanged and can only be edited as text. */
export function ForeignRule({ source }: { readonly source: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="quiet">{t('buckets.settings.foreignRule')}</Notice>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it */}
      <pre className={classes.code} tabIndex={0}>
        {source}
      </pre>
    </>
  );
}
