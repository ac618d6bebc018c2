import { serviceError } from './service-errors.ts';
import { childText, onlyChild, parseRoot, requireChildren, type XmlNode } from './xml.ts';

/** Parses the Tagging document of an object or bucket. Throws MalformedXML if it has another structure. */
export function readTagging(body: string): (readonly [name: string, value: string])[] {
  const root = parseRoot(body, 'Tagging');
  requireChildren(root, ['TagSet']);
  const set = onlyChild(root, 'TagSet');
  if (set === null) throw serviceError('MalformedXML');
  requireChildren(set, ['Tag']);
  return set.children.map(readTag);
}

/** Parses the Key and Value of a Tag element. Throws MalformedXML if one is missing or another child exists. */
export function readTag(tag: XmlNode): readonly [name: string, value: string] {
  requireChildren(tag, ['Key', 'Value']);
  const [name, value] = [childText(tag, 'Key'), childText(tag, 'Value')];
  if (name === null || value === null) throw serviceError('MalformedXML');
  return [name, value];
}
