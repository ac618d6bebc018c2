import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ViewerLoading, ViewerFailed, ViewerFrame } from '../frame/frame.tsx';
import { lineCutter, jsonLine } from './json-lines.ts';
import { recordFeed } from '../records/record-feed.ts';
import { useFeed, FeedCount, useCutNote } from '../records/use-feed.tsx';
import { type EncodingChoice, EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import type { DocumentTreeRow } from './tree-node.ts';
import { TreeTable } from './tree-table.tsx';

interface Shown {
  readonly rows: readonly DocumentTreeRow[];
  /** The number of lines among the rows. */
  readonly lines: number;
}

/** Shows JSON lines. Each line is a row that is parsed when the user opens it. */
export function JsonLinesView({ file }: ViewerProps) {
  const encoding = useEncoding(file);
  return <Lines file={file} encoding={encoding} key={encoding.chosen} />;
}

function Lines({ file, encoding }: ViewerProps & { readonly encoding: EncodingChoice }) {
  const { t } = useTranslation();
  const { chosen, choose } = encoding;
  const feed = useMemo(() => recordFeed(file.source, () => lineCutter(), { chosen }), [file.source, chosen]);
  const { failure, onRange } = useFeed(feed, () => feed.records.length);
  const [shown, setShown] = useState<Shown>({ rows: [], lines: 0 });
  const cut = useCutNote(feed, 'viewers.feed.cutLines');
  const total = feed.records.length;
  if (total > shown.lines) {
    const added = feed.records.slice(shown.lines).map((line, at): DocumentTreeRow => {
      const position = shown.lines + at + 1;
      return { node: jsonLine(line, position - 1), level: 1, isOpen: false, position, siblings: -1 };
    });
    setShown({ rows: shown.rows.concat(added), lines: total });
  }
  if (failure !== null && total === 0) return <ViewerFailed {...failure} />;
  if (total === 0 && feed.state === 'open') return <ViewerLoading />;
  return (
    <ViewerFrame
      notes={cut}
      failure={failure}
      toolbar={
        <>
          <FeedCount text={t('viewers.feed.lines', { count: total })} feed={feed} />
          <EncodingSelect encoding={feed.encoding} onEncoding={choose} />
        </>
      }
    >
      <TreeTable
        rows={shown.rows}
        onRows={(rows) => setShown({ rows, lines: total })}
        name={file.name}
        widths={['minmax(120px, 1fr)', 'minmax(0, 5fr)']}
        onRange={(_first, last) => {
          // Measures the distance from the end, since expanded lines add rows.
          onRange(0, total - (shown.rows.length - last));
        }}
      />
    </ViewerFrame>
  );
}
