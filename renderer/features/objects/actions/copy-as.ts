import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { Connection } from '../../../../shared/models/connection.ts';
import { shellQuoted, type ShellPlatform } from '../../../ui/clipboard/shell-quote.ts';

/**
 * The location of an object, and the settings of its connection. Commands contain no secrets, since programs read secrets from
 * their own files.
 */
export interface CommandPlace {
  readonly platform: ShellPlatform;
  readonly connection: Pick<Connection, 'provider' | 'endpoint' | 'region' | 'auth' | 'requesterPays'>;
  readonly bucket: string;
}

/**
 * Returns an `aws s3 cp` command for the terminal's current folder. Downloads an object, or a folder into a new folder of its
 * name. Returns null if the key cannot be passed as an argument.
 */
export function awsCommand(place: CommandPlace, key: string): string | null {
  const { platform, connection, bucket } = place;
  if (!isArgument(key, platform)) return null;
  const { provider, endpoint, region, auth, requesterPays } = connection;
  const quoted = (text: string): string => shellQuoted(text, platform);
  const isFolder = key.endsWith('/');
  return [
    'aws s3 cp',
    ...(isFolder ? ['--recursive'] : []),
    quoted(`s3://${bucket}/${key}`),
    isFolder ? quoted(`./${localName(key)}/`) : '.',
    ...(provider === 'aws' ? [] : ['--endpoint-url', quoted(endpoint)]),
    ...(region === null ? [] : ['--region', quoted(region)]),
    ...(auth.kind === 'aws-profile' ? ['--profile', quoted(auth.profile)] : []),
    ...(auth.kind === 'anonymous' ? ['--no-sign-request'] : []),
    ...(requesterPays === true ? ['--request-payer requester'] : []),
  ].join(' ');
}

/**
 * Returns an `rclone copy` command for the same task that needs no configured remote:
 * https://rclone.org/docs/#connection-strings. Returns null if rclone cannot address the key: it drops empty segments and
 * rewrites some characters, see https://rclone.org/overview/#restricted-filenames.
 */
export function rcloneCommand(place: CommandPlace, key: string): string | null {
  const { platform, connection, bucket } = place;
  const isFolder = key.endsWith('/');
  const path = isFolder ? key.slice(0, -1) : key;
  const hasOddSegment = path
    .split('/')
    .some((segment) => segment === '' || segment === '.' || segment === '..');
  if (hasOddSegment || !isArgument(key, platform) || rcloneEscapes.test(key)) return null;
  const { provider, endpoint, region, auth, requesterPays } = connection;
  const options = [
    `provider=${provider === 'aws' ? 'AWS' : 'Other'}`,
    ...(auth.kind === 'anonymous' ? [] : ['env_auth=true']),
    ...(auth.kind === 'aws-profile' ? [`profile=${rcloneValue(auth.profile)}`] : []),
    ...(region === null ? [] : [`region=${rcloneValue(region)}`]),
    ...(provider === 'aws' ? [] : [`endpoint=${rcloneValue(endpoint)}`]),
    ...(requesterPays === true ? ['requester_pays=true'] : []),
  ];
  const source = shellQuoted(`:s3,${options.join(',')}:${bucket}/${path}`, platform);
  return `rclone copy ${source} ${isFolder ? shellQuoted(`./${localName(key)}`, platform) : '.'}`;
}

/** Returns a `curl` command that saves a presigned URL under the object's name, or null if no argument can hold the name. */
export function curlCommand(platform: ShellPlatform, url: string, key: string): string | null {
  const name = localName(key);
  if (!isArgument(name, platform)) return null;
  // In PowerShell, plain `curl` is a different command.
  const program = platform === 'win32' ? 'curl.exe' : 'curl';
  return [
    program,
    '--fail --location --globoff',
    `--output ${shellQuoted(`./${name}`, platform)}`,
    shellQuoted(url, platform),
  ].join(' ');
}

/** Returns the public URL of an object: the base address, with or without a trailing slash, and the encoded key. */
export function publicAddress(base: string, key: string): string {
  return `${base.replace(/\/+$/, '')}/${key.split('/').map(encodeSegment).join('/')}`;
}

/** Returns a base address in the form in which it is stored. Null if it is not a web address to which a path can be appended. */
export function publicBaseOf(typed: string): string | null {
  const url = URL.parse(typed.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null;
  return url.href.replace(/\/+$/, '');
}

/** Characters that rclone uses as escapes: its own quote character, and the full-width forms of `.` and `/`. */
const rcloneEscapes = /[\u201B\uFF0E\uFF0F]/u;

function rcloneValue(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Returns true if a program can receive the text as an argument. Windows PowerShell drops double quotes. */
function isArgument(text: string, platform: ShellPlatform): boolean {
  return !text.includes('\0') && !(platform === 'win32' && text.includes('"'));
}

function localName(key: string): string {
  const name = lastSegment(key);
  return name === '' || name === '.' || name === '..' ? 'object' : name;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
  );
}
