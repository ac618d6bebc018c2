import { lazy } from 'react';
import type { Viewer } from '../frame/viewer.ts';
import { looksLikeText } from './looks-like-text.ts';

const extensions =
  'txt text ini cfg conf config properties toml yaml yml env sh bash zsh fish ps1 bat cmd py rb php pl lua go rs c h cc ' +
  'cpp hpp cs java kt kts scala swift m mm js mjs cjs jsx ts mts cts tsx css scss less sql r jl dart ex exs erl hs clj ' +
  'lisp vim tex bib rst adoc org diff patch srt vtt ndjson jsonl tf hcl gradle cmake mk proto graphql svelte vue asc pem ' +
  'crt csr pub gitignore gitattributes editorconfig dockerfile json geojson ipynb webmanifest csv tsv md markdown xml ' +
  'html htm xhtml rss plist log';

const applications =
  /^application\/(?:(?:x-)?(?:javascript|ecmascript|typescript|sh|shellscript|yaml|toml|sql|ndjson|jsonl|jsonlines|httpd-php|perl|python|ruby|tex|latex|pem-file)|(?:.+\+)?(?:json|xml))$/;

/** Shows text of every kind, and any other content if the user asks for it. */
export const textViewer: Viewer = {
  id: 'text',
  opens: {
    types: [/^text\//, applications],
    extensions: extensions.split(' '),
    // `app.log.1` and `app.log.2024-05-01` are logs too.
    names: /\.log\.[\d-]+$|^(?:dockerfile|makefile|license|readme|changelog|authors)$/,
    startsWith: looksLikeText,
  },
  limit: { kind: 'none' },
  isText: true,
  component: lazy(async () => ({ default: (await import('./text-view.tsx')).TextView })),
};
