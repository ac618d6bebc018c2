import { transform, type Selector, type SelectorComponent } from 'lightningcss';
import type { Plugin } from 'vite';

/** Matches Mantine's class names. The scripts contain only those of used components. */
const libraryClass = /\bm_[0-9a-f]{6,8}\b/g;

/**
 * Removes the rules of unused components from the library's single style sheet. A rule is removed only if each of its selectors
 * requires a class that no script contains.
 */
export function withoutUnusedStyles(): Plugin {
  return {
    name: 'unused-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
      const used = new Set(scripts.flatMap((code) => code.match(libraryClass) ?? []));
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        file.source = pruned(file.fileName, file.source, used);
      }
    },
  };
}

/** Returns the style sheet without rules that cannot match. Throws if it is not CSS. */
export function pruned(fileName: string, source: string | Uint8Array, used: ReadonlySet<string>): string {
  const code = typeof source === 'string' ? Buffer.from(source) : source;
  const result = transform({
    filename: fileName,
    code,
    minify: true,
    visitor: {
      Rule: {
        style: (rule) => (rule.value.selectors.some((selector) => canMatch(selector, used)) ? undefined : []),
      },
    },
  });
  return Buffer.from(result.code).toString('utf8');
}

/**
 * Removes the rules of unused features and their images from pdf.js's style sheet: editors for annotations, signatures and
 * comments, dialogs and sidebars. Finds them by ids and class names.
 */
export function pagesOfPdfsAlone(): Plugin {
  return {
    name: 'pages-of-pdfs-alone',
    enforce: 'pre',
    transform: {
      filter: { id: /\/pdfjs-dist\/web\/pdf_viewer\.css$/ },
      handler: (code, id) => withoutEditors(id, code),
    },
  };
}

/** Returns pdf.js's style sheet with only the rules for pages, scoped to its pages. Throws if it is not CSS. */
export function withoutEditors(fileName: string, source: string): string {
  const result = transform({
    filename: fileName,
    code: Buffer.from(source),
    visitor: {
      Rule: {
        style: (rule) =>
          rule.value.selectors.some((selector) => !selector.some(isOfEditors)) ? undefined : [],
      },
      Selector: withinPages,
      // The window sets its own colour scheme.
      Declaration: { 'color-scheme': () => [] },
    },
  });
  return Buffer.from(result.code).toString('utf8');
}

const pages: SelectorComponent = { type: 'class', name: 'pdfViewer' };
/** Classes outside any page: the viewer, and the canvas in which pdf.js measures texts. */
const anywhere: ReadonlySet<string> = new Set(['pdfViewer', 'hiddenCanvasElement']);

/** Limits a selector for the root, or for anything in the document, to the pages of pdf.js. */
function withinPages(selector: Selector): Selector {
  if (selector.some((part) => part.type === 'nesting')) return selector;
  const [first] = selector;
  if (first?.type === 'pseudo-class' && first.kind === 'root') return [pages, ...selector.slice(1)];
  if (selector.some((part) => part.type === 'class' && anywhere.has(part.name))) return selector;
  return [pages, { type: 'combinator', value: 'descendant' }, ...selector];
}

const editors =
  /editor|dialog|popup|sidebar|treeView|toggle-button|colorPicker|comment|signature|messageBar|menu|(primary|secondary)Button/i;

function isOfEditors(part: SelectorComponent): boolean {
  if (part.type === 'id') return true;
  if (part.type === 'class') return editors.test(part.name);
  if (part.type !== 'pseudo-class' || (part.kind !== 'where' && part.kind !== 'is')) return false;
  return part.selectors.every((selector) => selector.some(isOfEditors));
}

function canMatch(selector: Selector, used: ReadonlySet<string>): boolean {
  return selector.every((part) => partCanMatch(part, used));
}

function partCanMatch(part: SelectorComponent, used: ReadonlySet<string>): boolean {
  if (part.type === 'class') return !/^m_[0-9a-f]{6,8}$/.test(part.name) || used.has(part.name);
  // Ignores :not(), because a rule matches even if a class inside it does not exist.
  if (part.type !== 'pseudo-class' || (part.kind !== 'where' && part.kind !== 'is')) return true;
  return part.selectors.some((selector) => canMatch(selector, used));
}
