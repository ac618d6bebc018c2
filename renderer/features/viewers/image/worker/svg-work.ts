import {
  declaredEncoding,
  decodeText,
  type EncodingFound,
  markedEncoding,
} from '../../encoding/text-encoding.ts';
import { statedSize } from '../parts/stated-size.ts';
import { type SvgElement, svgElements, UnboundedSvg } from './svg-elements.ts';
import { type StyleReference, styleReferences, unescapedCss } from './svg-styles.ts';
import { maxSvgWork } from './image-messages.ts';

/** Maximum nesting of SVG images inside SVG images. */
const maxPictureLayers = 3;

/** Drawing costs, in plain elements. */
const svgWeights = {
  /** The cost per filter primitive, which processes all pixels in the area of the filter. */
  filter: 50,
  heavyFilter: 300,
  /** The cost of a layer that is drawn and composed: a picture, mask, pattern or clip. */
  layer: 5,
  /** Characters of a path or text per element. */
  pathBytes: 300,
  picturePixelsPerElement: 10_000,
  /** An animated drawing is redrawn repeatedly. */
  animation: 4,
} as const;

/** The estimated effort of drawing an element, including its children and everything it refers to. */
interface Expanded {
  /** The number of drawn elements. */
  readonly count: number;
  /** The number of path points at which a marker is drawn. */
  readonly points: number;
  readonly work: number;
}

const nothing: Expanded = { count: 0, points: 0, work: 0 };
/** Elements whose `href` draws another element or uses its content. An `a` is left out, since it only links. */
const drawsHref: ReadonlySet<string> = new Set([
  'use',
  'pattern',
  'feimage',
  'image',
  'img',
  'mpath',
  'textpath',
]);
const animations: ReadonlySet<string> = new Set(['animate', 'set', 'animatetransform', 'animatemotion']);
const gradients: ReadonlySet<string> = new Set(['lineargradient', 'radialgradient']);
const heavyFilters: ReadonlySet<string> = new Set([
  'feturbulence',
  'femorphology',
  'feconvolvematrix',
  'fediffuselighting',
  'fespecularlighting',
  'fegaussianblur',
  'fedropshadow',
]);

const filterFunctions =
  /(?:blur|drop-shadow|brightness|contrast|saturate|hue-rotate|invert|sepia|grayscale)\s*\(/gi;

/**
 * Estimates the effort of drawing an SVG, counted in plain elements; Infinity if it is unbounded or cannot be estimated. The
 * browser draws an SVG on the main thread and cannot be interrupted, yet a few hundred bytes of `<use>` can expand without limit.
 */
export function svgWork(text: string, layer = 0): number {
  if (layer > maxPictureLayers) return Infinity;
  try {
    return new Drawing(svgElements(text), layer).work();
  } catch (thrown) {
    if (thrown instanceof UnboundedSvg || thrown instanceof RangeError) return Infinity;
    throw thrown;
  }
}

class Drawing {
  readonly #roots: readonly SvgElement[];
  readonly #layer: number;
  /** Ids may repeat in merged files. */
  readonly #byId = new Map<string, SvgElement[]>();
  readonly #styles: StyleReference[] = [];
  /** Animations that change an element other than their parent. */
  readonly #animated = new Map<string, SvgElement[]>();
  readonly #known = new Map<SvgElement, Expanded>();
  readonly #open = new Set<SvgElement>();
  #isAnimated = false;
  /** True if markers may be filled with the paint of their path. */
  #hasContextPaint = false;
  /** True if `inherit` may pass on properties that elements do not inherit otherwise, such as masks. */
  #inheritsAll = false;

  constructor(roots: readonly SvgElement[], layer: number) {
    this.#roots = roots;
    this.#layer = layer;
    const queue = [...roots];
    for (let element = queue.pop(); element !== undefined; element = queue.pop()) {
      this.#note(element);
      queue.push(...element.children);
    }
  }

  work(): number {
    const { work } = this.#sum(this.#roots.map((root) => this.#expanded(root)));
    // Each frame of an animation draws the whole image again.
    return this.#isAnimated ? work * svgWeights.animation : work;
  }

  #note(element: SvgElement): void {
    const { name, attributes, text } = element;
    const id = attributes.get('id');
    if (id !== undefined) add(this.#byId, id, element);
    const values = [...attributes.values(), name === 'style' ? text : ''].join('\n');
    if (/@import[^;]*data:|data:text\/|data:application\/(?:xml|xslt|xhtml)/i.test(unescapedCss(values)))
      throw new UnboundedSvg();
    if (/--[\w-]+\s*:[^;}]*url\s*\(|attr\s*\(/i.test(values)) throw new UnboundedSvg();
    if (/\binherit\b/i.test(values)) this.#inheritsAll = true;
    if (/context-(?:fill|stroke)/.test(values)) this.#hasContextPaint = true;
    if (animations.has(name) || /@keyframes|transition\s*:/i.test(values)) this.#isAnimated = true;
    if (name === 'style') this.#styles.push(...styleReferences(text));
    const target = animations.has(name) ? hashOf(attributes.get('href')) : null;
    if (target !== null) add(this.#animated, target, element);
  }

  #expanded(element: SvgElement): Expanded {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    // A reference cycle is an error in SVG, and browsers differ in how they draw it.
    if (this.#open.has(element) || this.#open.size > 3000) throw new UnboundedSvg();
    this.#open.add(element);
    const found = this.#look(element);
    this.#open.delete(element);
    if (!(found.work <= maxSvgWork * svgWeights.animation)) throw new UnboundedSvg();
    this.#known.set(element, found);
    return found;
  }

  #look(element: SvgElement): Expanded {
    const { name, attributes, children, text } = element;
    if (gradients.has(name)) return { count: 1, points: 0, work: 1 + children.length };
    const path = (attributes.get('d') ?? '').length + (attributes.get('points') ?? '').length;
    const isFilter = name.startsWith('fe') && name !== 'femergenode' && !name.startsWith('fefunc');
    const expanded: Expanded = {
      count: 1,
      points: Math.ceil(path / 4),
      work:
        1 +
        Math.floor((path + text.length) / svgWeights.pathBytes) +
        (isFilter ? (heavyFilters.has(name) ? svgWeights.heavyFilter : svgWeights.filter) : 0) +
        (name === 'image' || name === 'img' ? svgWeights.layer : 0),
    };
    const inside = this.#sum([
      expanded,
      ...children.map((child) => this.#expanded(child)),
      ...this.#drawn(element).map((child) => this.#expanded(child)),
    ]);
    return { ...inside, work: inside.work + this.#painted(element, inside) };
  }

  /** Returns the elements that an element draws by reference, at once or during an animation. */
  #drawn(element: SvgElement): readonly SvgElement[] {
    const { name, attributes } = element;
    const now = drawsHref.has(name) ? [hashOf(attributes.get('href'))] : [];
    const later = this.#movers(element).flatMap((mover) => valuesOf(mover).map(hashOf));
    return [...now, ...later].flatMap((hash) => {
      const targets = hash === null ? [] : (this.#byId.get(hash) ?? []);
      return targets.filter((target) => !gradients.has(target.name));
    });
  }

  /** Returns the animations of an element. */
  #movers({ attributes, children }: SvgElement): readonly SvgElement[] {
    const id = attributes.get('id');
    return [
      ...children.filter((child) => animations.has(child.name)),
      ...(id === undefined ? [] : (this.#animated.get(id) ?? [])),
    ];
  }

  /** Returns the properties and their values, from attributes, style sheets and animations. */
  #properties(element: SvgElement): readonly (readonly [property: string, value: string])[] {
    const { attributes } = element;
    const sheets = this.#styles.filter(({ appliesTo }) => appliesTo(element));
    const declarations = [attributes.get('style') ?? '', ...sheets.map(({ declaration }) => declaration)]
      .flatMap((written) => unescapedCss(written).match(/(?:"[^"]*"|'[^']*'|url\([^)]*\)|[^;])+/gi) ?? [])
      .map((declaration) => {
        const colon = declaration.indexOf(':');
        return [declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1)] as const;
      });
    const moved = this.#movers(element).flatMap((mover) =>
      valuesOf(mover).map((value) => [mover.attributes.get('attributename') ?? '', value] as const),
    );
    const written = attributes
      .entries()
      .filter(([key]) => key !== 'd' && key !== 'points' && key !== 'style')
      .map(([key, value]) => [key, unescapedCss(value)] as const);
    return [...written, ...declarations, ...moved];
  }

  /** Returns the effort added by paint, masks, markers and filters, some of which inner elements inherit. */
  #painted(element: SvgElement, inside: Expanded): number {
    let work = 0;
    for (const [property, value] of this.#properties(element)) {
      const isMarker = property.startsWith('marker');
      const isInherited = isMarker || this.#inheritsAll || property === 'fill' || property === 'stroke';
      const times = isInherited ? inside.count + (isMarker ? inside.points : 0) : 1;
      for (const { groups = {} } of value.matchAll(/url\s*\(\s*["']?(?<target>[^"')]*)/gi)) {
        const { count, work: each } = this.#target(groups['target'] ?? '');
        if (count > 0) work += (each + svgWeights.layer) * (times + (this.#hasContextPaint ? count : 0));
      }
      const filters = value.match(filterFunctions)?.length ?? 0;
      work += filters * svgWeights.heavyFilter * (this.#inheritsAll ? inside.count : 1);
      if (property === 'href' || property === 'src' || property === 'srcset')
        work += value.trim().startsWith('#') ? 0 : this.#target(value).work;
    }
    return work;
  }

  #target(written: string): Expanded {
    const address = written.trim();
    const hash = hashOf(address);
    if (hash !== null)
      return this.#sum((this.#byId.get(hash) ?? []).map((referenced) => this.#expanded(referenced)));
    return /^data:/i.test(address) ? { count: 1, points: 0, work: this.#picture(address) } : nothing;
  }

  #picture(address: string): number {
    const comma = address.indexOf(',');
    const type = address.slice(5, comma).toLowerCase();
    const body = bytesOf(address.slice(comma + 1), type.includes(';base64'));
    if (type.startsWith('image/svg')) return svgWork(new TextDecoder().decode(body), this.#layer + 1);
    // Content without a size is not a drawable picture, but a font or damaged.
    const { width, height } = statedSize(body) ?? { width: 0, height: 0 };
    return Math.ceil((width * height) / svgWeights.picturePixelsPerElement);
  }

  #sum(parts: readonly Expanded[]): Expanded {
    let [count, points, work] = [0, 0, 0];
    for (const part of parts) {
      count += part.count;
      points += part.points;
      work += part.work;
    }
    return { count, points, work };
  }
}

function add(lists: Map<string, SvgElement[]>, key: string, element: SvgElement): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [element]);
  else list.push(element);
}

function valuesOf({ attributes }: SvgElement): readonly string[] {
  return ['to', 'from', 'by', 'values'].flatMap((key) => (attributes.get(key) ?? '').split(';'));
}

function hashOf(address: string | undefined): string | null {
  const trimmed = (address ?? '').trim();
  if (!trimmed.startsWith('#')) return null;
  try {
    return decodeURIComponent(trimmed.slice(1));
  } catch {
    return trimmed.slice(1);
  }
}

function bytesOf(body: string, isBase64: boolean): Uint8Array<ArrayBuffer> {
  try {
    const plain = decodeURIComponent(body);
    if (!isBase64) return new TextEncoder().encode(plain);
    return Uint8Array.from(atob(plain.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    throw new UnboundedSvg();
  }
}

/** Decodes an XML document as browsers do: by its byte order mark, else by its declaration, else as UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  const unmarked: EncodingFound = { encoding: declaredEncoding(bytes) ?? 'utf-8', markBytes: 0 };
  return decodeText(bytes, markedEncoding(bytes) ?? unmarked);
}
