import { looksLikeText } from './encoding/detect-encoding.ts';
import { beginsWith, type Viewer } from './frame/viewer.ts';
import { isHeader } from './archive/tar-header.ts';
import { maxDecompressedBytes } from './packed/unpacker.ts';
import { markedCompression } from './packed/compression.ts';
import { maxTextBytes } from './records/record-feed.ts';
import { imageTypeOf } from './image/parts/image-type.ts';
import { lazyComponent } from '../../ui/lazy-part.tsx';

const mebibyte = 1024 * 1024;

/** Shows the bytes of any file. It opens only when the user asks for it, never by type or name. */
export const hexViewer: Viewer = {
  id: 'hex',
  opens: {},
  limit: { kind: 'none' },
  component: lazyComponent(async () => (await import('./hex/hex-view.tsx')).HexView),
};

/** Plays sound and video. The browser reads ranges, so files of any size start at once and users can seek. */
export const mediaViewer: Viewer = {
  id: 'media',
  opens: {
    types: [
      /^video\/(?:mp4|webm|ogg|quicktime|x-matroska|x-m4v)$/,
      /^audio\/(?:mpeg|x?-?mp3|mp4|(?:x-)?m4a|aac|ogg|opus|webm|(?:x-|vnd\.)?wave?|(?:x-)?flac)$/,
      'application/ogg',
    ],
    extensions: 'mp4 m4v webm ogv mov mkv mp3 m4a aac ogg oga opus weba wav flac'.split(' '),
    startsWith: isMedia,
  },
  limit: { kind: 'none' },
  component: lazyComponent(async () => (await import('./media/media-view.tsx')).MediaView),
};

function isMedia(head: Uint8Array): boolean {
  return (
    ['OggS', 'fLaC', 'ID3', 'RIFF????WAVE', '\x1a\x45\xdf\xa3'].some((mark) => beginsWith(head, mark)) ||
    ['ftypisom', 'ftypmp4', 'ftypM4', 'ftypqt', 'ftypiso'].some((mark) => beginsWith(head, mark, 4))
  );
}

/** The signature. Source: Database File Format, section 1.3. */
const sqliteMark = 'SQLite format 3\0';

const zipExtensions =
  'zip jar war ear apk aar ipa epub docx docm dotx xlsx xlsm pptx pptm odt ods odp odg vsdx nupkg whl crx xpi kmz';

const textExtensions =
  'txt text ini cfg conf config properties toml yaml yml env sh bash zsh fish ps1 bat cmd py rb php pl lua go rs c h cc ' +
  'cpp hpp cs java kt kts scala swift m mm js mjs cjs jsx ts mts cts tsx css scss less sql r jl dart ex exs erl hs clj ' +
  'lisp vim tex bib rst adoc org diff patch srt vtt ndjson jsonl tf hcl gradle cmake mk proto graphql svelte vue asc pem ' +
  'crt csr pub gitignore gitattributes editorconfig dockerfile json geojson ipynb webmanifest csv tsv md markdown xml ' +
  'html htm xhtml rss plist log';

const textApplications =
  /^application\/(?:(?:x-)?(?:javascript|ecmascript|typescript|sh|shellscript|yaml|toml|sql|ndjson|jsonl|jsonlines|httpd-php|perl|python|ruby|tex|latex|pem-file)|(?:.+\+)?(?:json|xml))$/;

/** Shows text of every kind, and any other content if the user asks for it. */
export const textViewer: Viewer = {
  id: 'text',
  opens: {
    types: [/^text\//, textApplications],
    extensions: textExtensions.split(' '),
    // `app.log.1` and `app.log.2024-05-01` are logs too.
    names: /\.log\.[\d-]+$|^(?:dockerfile|makefile|license|readme|changelog|authors)$/,
    startsWith: looksLikeText,
  },
  limit: { kind: 'none' },
  isText: true,
  component: lazyComponent(async () => (await import('./text/text-view.tsx')).TextView),
};

/** All viewers. The specific ones precede the general ones, since the first match is used. */
export const viewers: readonly Viewer[] = [
  /**
   * Images that the browser engine draws, and TIFF and HEIC, which are decoded here. An SVG inside <img> runs no script and loads
   * nothing.
   */
  {
    id: 'image',
    opens: {
      types: [
        /^image\/(?:png|apng|tiff|hei[cf]|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/,
      ],
      extensions: 'png apng jpg jpeg jfif gif webp avif bmp ico svg tif tiff heic heif'.split(' '),
      startsWith: (head) => imageTypeOf(head) !== null,
    },
    limit: { kind: 'settings' },
    component: lazyComponent(async () => (await import('./image/image-view.tsx')).ImageView),
  },
  mediaViewer,
  {
    id: 'pdf',
    opens: {
      types: ['application/pdf', 'application/x-pdf'],
      extensions: ['pdf'],
      startsWith: (head) => beginsWith(head, '%PDF-'),
    },
    // pdf.js reads by ranges, but allocates memory for the whole file.
    limit: { kind: 'bytes', sizeBytes: 2_000_000_000 },
    component: lazyComponent(async () => (await import('./pdf/pdf-view.tsx')).PdfView),
  },
  {
    id: 'csv',
    opens: {
      types: [
        /^(?:text|application)\/(?:x-)?csv$/,
        'text/tab-separated-values',
        'text/comma-separated-values',
      ],
      extensions: ['csv', 'tsv', 'tab', 'psv'],
    },
    limit: { kind: 'first', sizeBytes: maxTextBytes },
    isText: true,
    component: lazyComponent(async () => (await import('./table/csv-view.tsx')).CsvView),
  },
  {
    id: 'markdown',
    opens: { types: [/^text\/(?:x-)?markdown$/], extensions: ['md', 'markdown', 'mdown'] },
    limit: { kind: 'bytes', sizeBytes: mebibyte },
    isText: true,
    component: lazyComponent(async () => (await import('./markdown/markdown-view.tsx')).MarkdownView),
  },
  {
    id: 'json-lines',
    opens: {
      types: [/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/, 'application/json-lines', 'text/jsonl'],
      extensions: ['jsonl', 'ndjson', 'jsonlines'],
    },
    limit: { kind: 'first', sizeBytes: maxTextBytes },
    isText: true,
    component: lazyComponent(async () => (await import('./tree/json-lines-view.tsx')).JsonLinesView),
  },
  /** Viewers of structured documents. The parsers need the whole document, so each has a limit that depends on its speed. */
  {
    id: 'json',
    opens: {
      types: [/^application\/(?:.+\+)?json$/, 'text/json'],
      extensions: ['json', 'geojson', 'ipynb', 'webmanifest'],
    },
    limit: { kind: 'bytes', sizeBytes: 64 * mebibyte },
    isText: true,
    component: lazyComponent(async () => (await import('./tree/document-view.tsx')).JsonView),
  },
  {
    id: 'yaml',
    opens: { types: [/^(?:application|text)\/(?:.+\+)?(?:x-|vnd\.)?yaml$/], extensions: ['yaml', 'yml'] },
    limit: { kind: 'bytes', sizeBytes: 2 * mebibyte },
    isText: true,
    component: lazyComponent(async () => (await import('./tree/document-view.tsx')).YamlView),
  },
  {
    id: 'xml',
    opens: {
      types: [/^(?:application|text)\/(?:(?!xhtml)[^/]+\+)?xml$/],
      extensions: ['xml', 'rss', 'atom', 'plist', 'xsd', 'xsl', 'gpx', 'kml'],
    },
    limit: { kind: 'bytes', sizeBytes: 16 * mebibyte },
    isText: true,
    component: lazyComponent(async () => (await import('./tree/document-view.tsx')).XmlView),
  },
  {
    id: 'parquet',
    opens: {
      types: [/^application\/(?:x-|vnd\.apache\.)parquet$/],
      extensions: ['parquet', 'parq', 'pqt'],
      startsWith: (head) => beginsWith(head, 'PAR1'),
    },
    limit: { kind: 'none' },
    component: lazyComponent(async () => (await import('./columnar-view/columnar-view.tsx')).ParquetView),
  },
  {
    id: 'arrow',
    opens: {
      types: [/^application\/(?:x-|vnd\.)apache\.arrow\.(?:file|stream)$/],
      extensions: ['arrow', 'arrows', 'feather', 'ipc'],
      startsWith: (head) => beginsWith(head, 'ARROW1'),
    },
    limit: { kind: 'none' },
    component: lazyComponent(async () => (await import('./columnar-view/columnar-view.tsx')).ArrowView),
  },
  {
    id: 'sqlite',
    opens: {
      types: [/^application\/(?:vnd\.|x-)?sqlite3?$/],
      extensions: ['sqlite', 'sqlite3', 'db3', 'gpkg', 'mbtiles'],
      startsWith: (head) => beginsWith(head, sqliteMark),
    },
    // The engine needs all bytes in memory.
    limit: { kind: 'bytes', sizeBytes: 64 * mebibyte },
    component: lazyComponent(async () => (await import('./sqlite/sqlite-view.tsx')).SqliteView),
  },
  /** Shows the content of compressed files and of objects with a Content-Encoding. */
  {
    id: 'packed',
    opens: {
      types: [/^application\/(?:x-)?(?:gzip|zstd|brotli|bzip|bzip2|xz|tgz|gtar-compressed)$/],
      extensions: ['gz', 'tgz', 'svgz', 'zst', 'tzst', 'bz2', 'tbz', 'tbz2', 'tb2', 'xz', 'txz', 'br'],
      startsWith: (head) => markedCompression(head) !== null,
      undoesCodings: true,
    },
    limit: { kind: 'first', sizeBytes: maxDecompressedBytes },
    component: lazyComponent(async () => (await import('./packed-view/packed-view.tsx')).PackedView),
  },
  /** Zip archives, also under other names: office documents, Java programs. */
  {
    id: 'zip',
    opens: {
      types: [
        /^application\/(?:x-)?(?:zip|zip-compressed|java-archive)$/,
        /^application\/(?:.+\+zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.android\.package-archive)$/,
      ],
      extensions: zipExtensions.split(' '),
      startsWith: (head) => beginsWith(head, 'PK\x03\x04') || beginsWith(head, 'PK\x05\x06'),
    },
    limit: { kind: 'none' },
    component: lazyComponent(async () => (await import('./archive/archive-view.tsx')).ZipView),
  },
  {
    id: 'tar',
    opens: {
      types: [/^application\/(?:x-)?(?:tar|gtar|ustar)$/],
      extensions: ['tar', 'gem'],
      startsWith: (head) => isHeader(head.subarray(0, 512)),
    },
    limit: { kind: 'none' },
    component: lazyComponent(async () => (await import('./archive/archive-view.tsx')).TarView),
  },
  textViewer,
];
