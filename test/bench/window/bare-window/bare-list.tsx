import { useRef, useState, type KeyboardEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { useVirtualizer } from '@tanstack/react-virtual';

interface BareRow {
  readonly name: string;
  readonly size: string;
  readonly modified: string;
}

const rowHeightPx = 32;
/** Extracts entries from the benchmark's listing pages as cheaply as possible. Relies on their order of fields. */
const entryPattern =
  /<Contents><Key>(?<key>[^<]*)<.*?<LastModified>(?<modified>[^<]*)<.*?<Size>(?<size>[^<]*)<|<CommonPrefixes><Prefix>(?<prefix>[^<]*)</gu;
const endpoint = new URLSearchParams(location.search).get('endpoint') ?? '';

/** Renders an address field and the visible rows of one listing page, with as little work as possible. */
function BareList() {
  const [rows, setRows] = useState<readonly BareRow[]>([]);
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react-hooks/incompatible-library, react/incompatible-library -- its functions are used only here
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
  });
  const openOnEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') void listPage(event.currentTarget.value).then(setRows);
  };
  return (
    <>
      <input aria-label="Address: bucket/prefix" onKeyDown={openOnEnter} />
      <div ref={scroller} style={{ height: 700, overflow: 'auto' }}>
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <div key={index} style={{ position: 'absolute', top: start, height: rowHeightPx }}>
              <span>{rows[index]?.name}</span> <span>{rows[index]?.size}</span>{' '}
              <span>{rows[index]?.modified}</span>
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

async function listPage(address: string): Promise<readonly BareRow[]> {
  const [bucket = '', ...folders] = address.split('/');
  const query = new URLSearchParams({ 'list-type': '2', delimiter: '/', prefix: folders.join('/') });
  const response = await fetch(`${endpoint}/${bucket}?${query}`);
  const page = await response.text();
  return Array.from(page.matchAll(entryPattern), ({ groups = {} }) => ({
    name: groups['key'] ?? groups['prefix'] ?? '',
    size: groups['size'] ?? '',
    modified: groups['modified'] ?? '',
  }));
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(<BareList />);
