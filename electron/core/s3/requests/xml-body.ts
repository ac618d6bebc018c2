import { createHash } from 'node:crypto';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** A body of XML with its digest: AWS insists on one for tags, ACLs and locks, and MD5 is what every service knows. */
export function xmlRequest(
  root: string,
  content: string,
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const body = Buffer.from(`${declaration}\n<${root} xmlns="${namespace}">${content}</${root}>`, 'utf8');
  const digest = createHash('md5').update(body).digest('base64');
  return { body, headers: { 'content-type': 'application/xml', 'content-md5': digest } };
}
