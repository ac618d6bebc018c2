import { lazy } from 'react';
import { maxTextBytes } from '../records/record-limits.ts';
import type { Viewer } from '../frame/viewer.ts';

const mebibyte = 1024 * 1024;

/** Viewers of structured documents. The parsers need the whole document, so each has a limit that depends on its speed. */
export const jsonViewer: Viewer = {
  id: 'json',
  opens: {
    types: [/^application\/(?:.+\+)?json$/, 'text/json'],
    extensions: ['json', 'geojson', 'ipynb', 'webmanifest'],
  },
  limit: { kind: 'bytes', sizeBytes: 64 * mebibyte },
  isText: true,
  component: lazy(async () => ({ default: (await import('./document-view.tsx')).JsonView })),
};

export const jsonLinesViewer: Viewer = {
  id: 'json-lines',
  opens: {
    types: [/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/, 'application/json-lines', 'text/jsonl'],
    extensions: ['jsonl', 'ndjson', 'jsonlines'],
  },
  limit: { kind: 'first', sizeBytes: maxTextBytes },
  isText: true,
  component: lazy(async () => ({ default: (await import('./json-lines-view.tsx')).JsonLinesView })),
};

export const yamlViewer: Viewer = {
  id: 'yaml',
  opens: {
    types: [/^(?:application|text)\/(?:.+\+)?(?:x-|vnd\.)?yaml$/],
    extensions: ['yaml', 'yml'],
  },
  limit: { kind: 'bytes', sizeBytes: 2 * mebibyte },
  isText: true,
  component: lazy(async () => ({ default: (await import('./document-view.tsx')).YamlView })),
};

export const xmlViewer: Viewer = {
  id: 'xml',
  opens: {
    types: [/^(?:application|text)\/(?:(?!xhtml)[^/]+\+)?xml$/],
    extensions: ['xml', 'rss', 'atom', 'plist', 'xsd', 'xsl', 'gpx', 'kml'],
  },
  limit: { kind: 'bytes', sizeBytes: 16 * mebibyte },
  isText: true,
  component: lazy(async () => ({ default: (await import('./document-view.tsx')).XmlView })),
};
