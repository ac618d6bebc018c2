import { describe, expect, test } from 'vitest';
import { maxSvgWork } from '../../../../renderer/features/viewers/image/worker/image-messages.ts';
import { svgWork } from '../../../../renderer/features/viewers/image/worker/svg-work.ts';

const svg = (inside: string, before = ''): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9">${inside}</svg>`;

/** Twelve levels, each of which draws the level below ten times. */
const levels = (level: (below: string, at: number) => string, last: (top: string) => string): string =>
  Array.from({ length: 12 }, (_, at) => level(`a${String(at)}`, at + 1)).join('') + last('a12');

const uses = levels(
  (below, at) => `<g id="a${String(at)}">${`<use href="#${below}"/>`.repeat(10)}</g>`,
  (top) => `<use href="#${top}"/>`,
);
const rect = '<rect id="a0" width="1" height="1"/>';

const bombs: Readonly<Record<string, string>> = {
  'nested uses': svg(rect + uses),
  'nested uses with prefixes': svg(rect + uses.replaceAll('<use href', '<s:use x:href')),
  'nested uses with references in numbers': svg(rect + uses.replaceAll('#', '&#x23;')),
  'nested uses by an entity': svg(
    rect + uses.replaceAll('"#a11"', '"&far;"'),
    '<!DOCTYPE svg [<!ENTITY far "#a11">]>',
  ),
  'entities that hold elements': svg('&b;', '<!DOCTYPE svg [<!ENTITY a "<g/>"><!ENTITY b "&a;&a;">]>'),
  'parameter entities': svg('', '<!DOCTYPE svg [<!ENTITY % a "<!ENTITY b \'c\'>"> %a;]>'),
  'nested patterns': svg(
    levels(
      (below, at) => `<pattern id="a${String(at)}">${`<rect fill="url(#${below})"/>`.repeat(10)}</pattern>`,
      (top) => `<rect fill="url(#${top})"/>`,
    ),
  ),
  'patterns by an inherited fill': svg(
    levels(
      (below, at) =>
        `<pattern id="a${String(at)}"><g fill="url(#${below})">${'<rect/>'.repeat(10)}</g></pattern>`,
      (top) => `<rect fill="url(#${top})"/>`,
    ),
  ),
  'nested masks in styles': svg(
    levels(
      (below, at) =>
        `<mask id="a${String(at)}">${`<rect style="mask: url('#${below}')"/>`.repeat(10)}</mask>`,
      (top) => `<rect style="mask:url(#${top})"/>`,
    ),
  ),
  'nested masks in escaped styles': svg(
    levels(
      (below, at) =>
        String.raw`<mask id="a${String(at)}">${String.raw`<rect style="mask:\75rl(\23 ${below})"/>`.repeat(10)}</mask>`,
      (top) => `<rect style="mask:url(#${top})"/>`,
    ),
  ),
  'nested clips of a style sheet': svg(
    `<style>${levels(
      (below, at) => `.c${String(at)} { clip-path: url(#${below}) }`,
      () => '',
    )}</style>${levels(
      (_, at) => `<clipPath id="a${String(at)}">${`<rect class="c${String(at)}"/>`.repeat(10)}</clipPath>`,
      (top) => `<rect clip-path="url(#${top})"/>`,
    )}`,
  ),
  'nested markers': svg(
    levels(
      (below, at) =>
        `<marker id="a${String(at)}"><path marker-mid="url(#${below})" d="${'L1 1'.repeat(12)}"/></marker>`,
      (top) => `<path marker-mid="url(#${top})" d="M0 0L1 1L2 2"/>`,
    ),
  ),
  'uses with animated references': svg(
    `${rect}${levels(
      (below, at) =>
        `<g id="a${String(at)}">${'<use/>'.repeat(10).replaceAll('/>', `><set attributeName="href" to="#${below}"/></use>`)}</g>`,
      (top) => `<use href="#${top}"/>`,
    )}`,
  ),
  'uses with references animated from elsewhere': svg(
    `${rect}${levels(
      (below, at) =>
        `<g id="a${String(at)}">${Array.from({ length: 10 }, (_, use) => `<use id="u${String(at)}-${String(use)}"/>`).join('')}</g>${Array.from(
          { length: 10 },
          (_, use) => `<set href="#u${String(at)}-${String(use)}" attributeName="href" to="#${below}"/>`,
        ).join('')}`,
      (top) => `<use href="#${top}"/>`,
    )}`,
  ),
  'a drawing inside a drawing': svg(
    `<image href="data:image/svg+xml,${encodeURIComponent(svg(rect + uses))}"/>`,
  ),
  'a drawing inside a style': svg(
    `<rect style="background: url(data:image/svg+xml;base64,${btoa(svg(rect + uses))})"/>`,
  ),
  'a picture of too many pixels': svg(
    `<image href="data:image/gif;base64,${btoa('GIF89a\xff\xff\xff\xff\0\0\0')}"/>`,
  ),
  'a style sheet as data': svg('<style>@import url("data:text/css,rect{}")</style>'),
  'a style sheet beside it': svg('', '<?xml-stylesheet href="data:text/css,rect{}"?>'),
  'filters in great number': svg(
    `<g filter="blur(9px)">${'<rect style="filter:blur(40px) blur(40px)"/>'.repeat(400)}</g>`,
  ),
  'elements in great number': svg('<g/>'.repeat(maxSvgWork)),
  'elements nested too deeply': svg('<g>'.repeat(100_000)),
  'a cycle': svg('<g id="a"><use href="#a"/></g>'),
  'masks in CSS variables': svg('<style>g{--m:url(#m)}</style><g style="mask:var(--m)"/>'),
};

describe('the drawing cost of an SVG', () => {
  test.each(Object.entries(bombs))('exceeds the limit for %s', (_, text) => {
    expect(svgWork(text)).toBeGreaterThan(maxSvgWork);
  });

  test('is the number of elements for a plain drawing', () => {
    expect(svgWork(svg('<g><rect/><rect/></g>'))).toBe(4);
  });

  test('counts a referenced element as often as it is used', () => {
    expect(svgWork(svg('<g id="a"><rect/><rect/></g><use href="#a"/><use href="#a"/>'))).toBe(12);
  });

  test('stays low for files of drawing programs', () => {
    const illustrator = svg(
      `<style>@import url(https://fonts.example/css);.st0{fill:url(#g)} .st1{clip-path:url(#c);filter:url(#f)}</style>
      <!-- <use href="#a"/> -->
      <linearGradient id="g" x:href="#h"><stop/><stop/></linearGradient><linearGradient id="h"/>
      <clipPath id="c"><rect/></clipPath><filter id="f"><feGaussianBlur/><feMerge><feMergeNode/></feMerge></filter>
      <a href="#top"><g id="top" class="st1">${'<path class="st0" d="M0 0"/>'.repeat(500)}</g></a>`,
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>',
    );
    expect(svgWork(illustrator)).toBeLessThan(10_000);
  });

  test('uses the larger of two elements with the same id', () => {
    expect(svgWork(svg(`<g id="a0"/>${rect}${uses}`))).toBeGreaterThan(maxSvgWork);
  });
});
