import { formatExactDateAndAge, formatDate, formatDateToSecond, formatExactDate } from './format.ts';

interface ShownTimeProps {
  readonly iso: string;
  /** Shows seconds as well, for lists in which times may differ by less than a minute. */
  readonly hasSeconds?: boolean;
}

/** Shows a time to the minute. The tooltip shows the seconds, and how long ago the time was. */
export function ShownTime({ iso, hasSeconds = false }: ShownTimeProps) {
  return (
    <time
      dateTime={iso}
      title={formatExactDate(iso)}
      onPointerEnter={(event) => {
        event.currentTarget.title = formatExactDateAndAge(iso, Date.now());
      }}
    >
      {hasSeconds ? formatDateToSecond(iso) : formatDate(iso)}
    </time>
  );
}
