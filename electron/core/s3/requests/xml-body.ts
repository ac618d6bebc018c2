import { createHash } from 'node:crypto';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Returns an XML body with its MD5. AWS requires a checksum for tags, ACLs and locks; every service supports MD5. */
export function xmlRequest(
  root: string,
  content: string,
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const body = Buffer.from(`${declaration}\n<${root} xmlns="${namespace}">${content}</${root}>`, 'utf8');
  const digest = createHash('md5').update(body).digest('base64');
  return { body, headers: { 'content-type': 'application/xml', 'content-md5': digest } };
}
