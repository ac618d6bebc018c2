import createPurifier from 'dompurify';

const tags =
  'h1 h2 h3 h4 h5 h6 p a ul ol li blockquote code pre em i strong b del s hr br table thead tbody tr th td img sup sub kbd ' +
  'details summary dl dt dd';

/** Where a picture is said to be; its element has no address of its own. */
export const pathAttribute = 'data-path';

/**
 * Markdown, made HTML, as elements of a short list, without addresses, styles, identifiers and events: nothing in it can run, be fetched or
 * lead anywhere. Addresses are taken away in a document that is never shown, since a picture is fetched as soon as it is in a live one.
 */
export function markdownFragment(html: string): DocumentFragment {
  const purifier = createPurifier(globalThis.window);
  purifier.addHook('beforeSanitizeAttributes', (node) => {
    if (node.nodeName === 'IMG') node.setAttribute(pathAttribute, node.getAttribute('src') ?? '');
    // A link only opens a place.
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
