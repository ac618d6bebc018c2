import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameSpan } from '../../../shared/keys/name-match.ts';
import { splitName, nameParts, type NamePart } from '../../../shared/keys/display.ts';
import common from '../common.module.css';
import classes from './cells.module.css';

interface KeyTextProps {
  readonly name: string;
  /** True to omit the middle of a name that does not fit, so that the extension stays visible. */
  readonly isCut?: boolean;
  /** The match of a search to highlight. Not shown in a name whose invisible characters are marked. */
  readonly found?: NameSpan | null;
}

/** Shows a name or key with its invisible characters marked. To copy a key, use the key itself, not this text. */
export function KeyText({ name, isCut = false, found = null }: KeyTextProps) {
  const parts = useMemo(() => nameParts(name), [name]);
  const [only] = parts;
  // <bdi> keeps the name's writing direction from affecting the text around it.
  if (parts.length === 1 && only?.kind === 'text') {
    const split = isCut ? splitName(only.text) : null;
    if (split === null)
      return (
        <bdi className={classes.name}>
          <Text text={only.text} offset={0} found={found} />
        </bdi>
      );
    return (
      <span className={classes.cut}>
        <bdi className={classes.head}>
          <Text text={split.head} offset={0} found={found} />
        </bdi>
        <bdi className={common.fixed}>
          <Text text={split.tail} offset={split.head.length} found={found} />
        </bdi>
      </span>
    );
  }
  return (
    <bdi className={classes.name}>
      {parts.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the pieces of a name are never reordered
        <Part key={at} part={part} />
      ))}
    </bdi>
  );
}

interface TextProps {
  readonly text: string;
  /** The index of the text in the name. */
  readonly offset: number;
  readonly found: NameSpan | null;
}

function Text({ text, offset, found }: TextProps) {
  const at = Math.max((found?.at ?? 0) - offset, 0);
  const end = Math.min((found?.end ?? 0) - offset, text.length);
  if (at >= end) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={classes.foundText}>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

function Part({ part }: { readonly part: NamePart }) {
  const { t } = useTranslation();
  switch (part.kind) {
    case 'text':
      return <bdi>{part.text}</bdi>;
    case 'empty':
      return <span className={classes.emptyName}>{t('common.keyText.empty')}</span>;
    case 'space':
    case 'hidden':
    case 'decomposed': {
      const title =
        part.kind === 'hidden'
          ? t('common.keyText.hidden', { code: part.code })
          : t(`common.keyText.${part.kind}`);
      return (
        <span className={classes.standIn} title={title}>
          {part.symbol}
        </span>
      );
    }
    default:
      return part satisfies never;
  }
}
