import { KeyText } from './cells/key-text.tsx';
import { joinClasses } from './class-names.ts';
import common from './common.module.css';
import classes from './parts.module.css';

export interface Crumb {
  readonly id: string;
  readonly name: string;
  readonly onGo: () => void;
}

interface TrailProps {
  readonly label: string;
  /** The last crumb is the current folder. */
  readonly crumbs: readonly Crumb[];
}

/** Shows the folders from the outermost to the dialog's current one. A click opens a folder. */
export function Trail({ label, crumbs }: TrailProps) {
  return (
    <nav aria-label={label} style={{ display: 'contents' }}>
      <ol className={classes.trail}>
        {crumbs.map(({ id, name, onGo }, at) => (
          <li key={id}>
            <button
              type="button"
              className={joinClasses(common.cut, classes.crumb)}
              aria-current={at === crumbs.length - 1 ? 'location' : undefined}
              onClick={onGo}
            >
              <KeyText name={name} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
