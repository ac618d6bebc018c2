import { nameParts } from '../../../shared/keys/display.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import classes from './search.module.css';

interface HighlightedNameProps {
  readonly name: string;
  /** The text that was searched for; null: the search had no plain text. */
  readonly text: string | null;
  readonly isCaseSensitive: boolean;
}

/** A name with the part that a search found in it. A name with marked characters is shown as usual. */
export function HighlightedName({ name, text, isCaseSensitive }: HighlightedNameProps) {
  const at = text === null ? -1 : positionOfText(name, text, isCaseSensitive);
  const [only, ...others] = nameParts(name);
  if (text === null || at === -1 || only?.kind !== 'text' || others.length > 0)
    return <KeyText name={name} />;
  const end = at + text.length;
  return (
    <bdi>
      {name.slice(0, at)}
      <mark className={classes.matched}>{name.slice(at, end)}</mark>
      {name.slice(end)}
    </bdi>
  );
}

/** Returns the position of a text in a name; -1 if it is not there, or only where letters fold to others. */
export function positionOfText(name: string, text: string, isCaseSensitive: boolean): number {
  if (isCaseSensitive) return name.indexOf(text);
  const folded = name.toLowerCase();
  return folded.length === name.length ? folded.indexOf(text.toLowerCase()) : -1;
}
