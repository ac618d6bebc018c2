/** Types that a browser engine draws as an image. SVG is one: inside <img> it runs no script and loads nothing. */
export const imageTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/svg+xml',
] as const;

export type ImageType = (typeof imageTypes)[number];
export type TextLanguage = 'plain' | 'json' | 'csv' | 'markdown' | 'xml' | 'log';

export type PreviewKind =
  | { readonly kind: 'image'; readonly contentType: ImageType }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'text'; readonly language: TextLanguage }
  | { readonly kind: 'unknown' };

const imageByExtension: Readonly<Record<string, ImageType>> = {
  png: 'image/png',
  apng: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};

const languageByExtension: Readonly<Record<string, TextLanguage>> = {
  json: 'json',
  geojson: 'json',
  ipynb: 'json',
  webmanifest: 'json',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  xml: 'xml',
  html: 'xml',
  htm: 'xml',
  xhtml: 'xml',
  rss: 'xml',
  plist: 'xml',
  log: 'log',
};

const plainExtensions: ReadonlySet<string> = new Set(
  (
    'txt text ini cfg conf config properties toml yaml yml env sh bash zsh fish ps1 bat cmd py rb php pl lua go rs c h cc ' +
    'cpp hpp cs java kt kts scala swift m mm js mjs cjs jsx ts mts cts tsx css scss less sql r jl dart ex exs erl hs clj ' +
    'lisp vim tex bib rst adoc org diff patch srt vtt ndjson jsonl tf hcl gradle cmake mk proto graphql svelte vue asc pem ' +
    'crt csr pub gitignore gitattributes editorconfig dockerfile makefile license readme changelog authors'
  ).split(' '),
);

/** Types that say nothing: what uploaders send when they do not know. */
const vagueTypes: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'application/force-download',
  'application/unknown',
]);

/** How an object could be shown, by its content type, and by its name where the type says nothing. */
export function previewKindOf(key: string, contentType: string | null): PreviewKind {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const byType = vagueTypes.has(type) ? null : kindOfType(type);
  if (byType !== null && byType.kind !== 'unknown') return refined(byType, key);
  const byName = kindOfName(key);
  // A type that names something else (video, archive) is believed, unless the name is that of a text.
  return byType === null || byName.kind === 'text' ? byName : byType;
}

/** `text/plain` of a file named .json is worth showing as JSON. */
function refined(kind: PreviewKind, key: string): PreviewKind {
  if (kind.kind !== 'text' || kind.language !== 'plain') return kind;
  const byName = kindOfName(key);
  return byName.kind === 'text' ? byName : kind;
}

function kindOfType(type: string): PreviewKind {
  const image =
    type === 'image/jpg' ? 'image/jpeg' : type === 'image/vnd.microsoft.icon' ? 'image/x-icon' : type;
  const known = imageTypes.find((one) => one === image);
  if (known !== undefined) return { kind: 'image', contentType: known };
  if (type === 'application/pdf' || type === 'application/x-pdf') return { kind: 'pdf' };
  if (/^application\/(?:.+\+)?json$|^text\/json$/.test(type)) return { kind: 'text', language: 'json' };
  if (type === 'text/csv' || type === 'text/tab-separated-values') return { kind: 'text', language: 'csv' };
  if (type === 'text/markdown' || type === 'text/x-markdown') return { kind: 'text', language: 'markdown' };
  if (/^(?:application|text)\/(?:.+\+)?xml$|^text\/html$|^application\/xhtml\+xml$/.test(type))
    return { kind: 'text', language: 'xml' };
  if (type.startsWith('text/') || textApplications.test(type)) return { kind: 'text', language: 'plain' };
  return { kind: 'unknown' };
}

const textApplications =
  /^application\/(?:x-)?(?:javascript|ecmascript|typescript|sh|shellscript|yaml|toml|sql|ndjson|jsonl|jsonlines|x-ndjson|httpd-php|perl|python|ruby|tex|latex|pem-file)$/;

function kindOfName(key: string): PreviewKind {
  const name = (key.split('/').at(-1) ?? '').toLowerCase();
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? name : name.slice(dot + 1);
  // `app.log.1` and `app.log.2024-05-01` are logs too.
  if (/\.log(?:\.[\d-]+)?$/.test(name)) return { kind: 'text', language: 'log' };
  if (dot === -1) {
    return plainExtensions.has(extension) ? { kind: 'text', language: 'plain' } : { kind: 'unknown' };
  }
  const image = Object.hasOwn(imageByExtension, extension) ? imageByExtension[extension] : undefined;
  if (image !== undefined) return { kind: 'image', contentType: image };
  if (extension === 'pdf') return { kind: 'pdf' };
  const language = Object.hasOwn(languageByExtension, extension) ? languageByExtension[extension] : undefined;
  if (language !== undefined) return { kind: 'text', language };
  return plainExtensions.has(extension) ? { kind: 'text', language: 'plain' } : { kind: 'unknown' };
}
