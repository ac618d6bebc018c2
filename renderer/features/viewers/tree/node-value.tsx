import { useTranslation } from 'react-i18next';
import { maxWholeNodeTextLength, shortenText } from './tree-node.ts';
import classes from './tree.module.css';

/** Shows, below the tree, the full text of a value that its row cuts. */
export function NodeValue({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <section
      className={classes.whole}
      aria-label={t('viewers.tree.value')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {shortenText(text, maxWholeNodeTextLength)}
    </section>
  );
}
