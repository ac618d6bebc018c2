import { expect, test } from 'vitest';
import { pruned, withoutEditors } from '../../../build/vite/unused-styles.ts';

const used = new Set(['m_11111111']);
const prune = (css: string): string => pruned('window.css', css, used);

test('a rule of an unused component is removed', () => {
  expect(prune('.m_22222222{color:red}.m_11111111{color:red}')).toBe('.m_11111111{color:red}');
  expect(prune('.m_11111111 .m_22222222:hover{color:red}')).toBe('');
  expect(prune('@media (width>=10px){.m_22222222{color:red}}')).not.toContain('red');
});

test('a rule that could still match is kept', () => {
  for (const css of [
    '.m_11111111,.m_22222222{color:red}',
    '.m_11111111:not(.m_22222222){color:red}',
    ':where(.m_22222222,.m_11111111) a{color:red}',
    '._own_1abc2{color:red}',
    ':root{--x:1px}',
    '@keyframes k{0%{opacity:0}}',
  ])
    expect(prune(css)).not.toBe('');
});

test('an :is() list without used components is removed', () => {
  expect(prune(':is(.m_22222222,.m_33333333) a{color:red}')).toBe('');
});

test("the pages' rules of the pdf.js style sheet are kept and the editors' removed", () => {
  const css = withoutEditors(
    'a.css',
    `.textLayer { color: red; .highlight { color: blue } }
     #editorUndoBar, .dialog .row { color: red }
     .annotationEditorLayer .stampEditor { color: red }
     .pdfViewer :is(.page, .commentPopup) { color: red }`,
  );
  expect(css).toMatch(/textLayer[^]*highlight/);
  expect(css).toMatch(/pdfViewer/);
  expect(css).not.toMatch(/editor|dialog/i);
});

test('the pdf.js style sheet matches nothing outside its pages', () => {
  const css = withoutEditors(
    'a.css',
    `:root { color-scheme: light dark; --a: 1px }
     [hidden], .page, .hiddenCanvasElement { display: none !important }
     .pdfViewer .page { color: red; &:hover { color: blue } }
     @media (width > 9px) { :root:has(.spread) { --b: 2px } }`,
  );
  expect(css).not.toMatch(/:root|color-scheme/);
  for (const [, selectors = ''] of css.matchAll(/^ *([^\s@}&][^{}\n]*) \{/gm))
    for (const selector of selectors.split(', ')) expect(selector).toMatch(/pdfViewer|hiddenCanvasElement/);
});
