import { useTranslation } from 'react-i18next';
import { maxWholeNodeTextLength, shortenText } from './tree-node.ts';
import classes from '../tables.module.css';

/** Shows the full text of a value below the tree, if its row shows only the beginning. */
export function NodeValue({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <section
      className={classes.nodeText}
      aria-label={t('viewers.tree.value')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {shortenText(text, maxWholeNodeTextLength)}
    </section>
  );
}
