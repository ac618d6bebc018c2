import { tarViewer, zipViewer } from './archive/archive-viewers.ts';
import { imageViewer } from './image/image-viewer.ts';
import { markdownViewer } from './markdown/markdown-viewer.ts';
import { mediaViewer } from './media/media-viewer.ts';
import { packedViewer } from './packed-view/packed-viewer.ts';
import { arrowViewer, parquetViewer } from './columnar-view/columnar-viewers.ts';
import { pdfViewer } from './pdf/pdf-viewer.ts';
import { sqliteViewer } from './sqlite/sqlite-viewer.ts';
import { csvViewer } from './table/csv-viewer.ts';
import { textViewer } from './text/text-viewer.ts';
import { jsonLinesViewer, jsonViewer, xmlViewer, yamlViewer } from './tree/tree-viewers.ts';
import type { Viewer } from './frame/viewer.ts';

/** All viewers. The specific ones precede the general ones, since the first match is used. */
export const viewers: readonly Viewer[] = [
  imageViewer,
  mediaViewer,
  pdfViewer,
  csvViewer,
  markdownViewer,
  jsonLinesViewer,
  jsonViewer,
  yamlViewer,
  xmlViewer,
  parquetViewer,
  arrowViewer,
  sqliteViewer,
  packedViewer,
  zipViewer,
  tarViewer,
  textViewer,
];
