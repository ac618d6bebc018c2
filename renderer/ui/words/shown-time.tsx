import { formatDate, formatExactDate } from './format.ts';
import { formatExactDateAndAge } from './span.ts';

/** A time to the minute; its tooltip shows the seconds, and how long ago it was. */
export function ShownTime({ iso }: { readonly iso: string }) {
  return (
    <time
      dateTime={iso}
      title={formatExactDate(iso)}
      onPointerEnter={(event) => {
        event.currentTarget.title = formatExactDateAndAge(iso, Date.now());
      }}
    >
      {formatDate(iso)}
    </time>
  );
}
