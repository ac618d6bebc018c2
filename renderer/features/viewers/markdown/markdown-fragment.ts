import createPurifier from 'dompurify';

const tags =
  'h1 h2 h3 h4 h5 h6 p a ul ol li blockquote code pre em i strong b del s hr br table thead tbody tr th td img sup sub kbd ' +
  'details summary dl dt dd';

/** The attribute with the path of a picture, whose element gets no `src`. */
export const pathAttribute = 'data-path';

/**
 * Sanitizes HTML made from Markdown. Keeps only harmless elements, without addresses, styles, ids or event handlers. Works in a
 * detached document, since a live document would fetch pictures at once.
 */
export function markdownFragment(html: string): DocumentFragment {
  const purifier = createPurifier(globalThis.window);
  purifier.addHook('beforeSanitizeAttributes', (node) => {
    if (node.nodeName === 'IMG') node.setAttribute(pathAttribute, node.getAttribute('src') ?? '');
    // Links do not work, so the title shows the address instead.
    if (node.nodeName === 'A') node.setAttribute('title', node.getAttribute('href') ?? '');
  });
  return purifier.sanitize(html, {
    ALLOWED_TAGS: tags.split(' '),
    ALLOWED_ATTR: ['alt', 'title', 'align', 'start', 'colspan', 'rowspan', pathAttribute],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
