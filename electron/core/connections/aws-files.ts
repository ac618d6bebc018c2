import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { AwsProfile } from '../../../shared/models/connection.ts';

const wordPattern = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/g;
const quotedPattern = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/g;

/** Splits a header like a shell (Python's shlex, which awscli uses). Returns null if a quote is not closed. */
function shellWords(header: string): string[] | null {
  if (header.replaceAll(wordPattern, '').trim() !== '') return null;
  return Array.from(header.matchAll(wordPattern), ([word]) =>
    word.replaceAll(
      quotedPattern,
      (_all, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? (double ?? '').replaceAll(/\\(["\\])/g, '$1'),
    ),
  );
}

/** Returns the header of a section, without brackets, as the SDK's loader reads it; null for any other line. */
function headerOf(line: string): string | null {
  const text = line.split(/(?:^|\s)[;#]/)[0]?.trim() ?? '';
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : null;
}

/** Rewrites `[profile "my profile"]` as `[profile.my profile]`, which the SDK's loader reads for any name. */
function withPlainHeader(line: string): string {
  const words = shellWords(headerOf(line) ?? '') ?? [];
  const [kind, name] = words;
  const isNamed = words.length === 2 && /^(?:profile|services|sso-session)$/.test(kind ?? '');
  return isNamed ? `[${kind}.${name}]` : line;
}

/** Returns the sections of the credentials file that the SDK's loader skips, as profiles of the config file. */
function spacedCredentials(credentials: string): string[] {
  let isSpaced = false;
  return credentials.split(/\r?\n/).flatMap((line) => {
    const header = headerOf(line);
    if (header !== null) isSpaced = /\s/.test(header);
    if (!isSpaced) return [];
    return [header === null ? line : `[profile.${header}]`];
  });
}

/**
 * Returns the config file rewritten so that the SDK's loader finds all profiles that awscli finds. The loader drops quoted names
 * with spaces, names with non-ASCII letters, and names such as `a(b)`.
 */
function readableConfig(config: string, credentials: string): string {
  return [...config.split(/\r?\n/).map(withPlainHeader), ...spacedCredentials(credentials)].join('\n');
}

type Ini = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

interface ProfileFacts {
  readonly region: string | null;
  readonly endpointUrl: string | null;
  readonly kind: AwsProfile['kind'];
}

/** Reads a file. Like the SDK's loader, treats a file that cannot be read as empty. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

/** Reads the config file, rewrites profile names that the SDK's loader drops, and puts the text into the loader's cache. */
export async function prepareAwsFiles(): Promise<void> {
  const { externalDataInterceptor, getHomeDir } = await import('@smithy/shared-ini-file-loader');
  const fileOf = (set: string | undefined, name: string): string =>
    set === undefined || set === ''
      ? path.join(getHomeDir(), '.aws', name)
      : set.replace(/^~\//, `${getHomeDir()}/`);
  const configFile = fileOf(process.env['AWS_CONFIG_FILE'], 'config');
  const credentialsFile = fileOf(process.env['AWS_SHARED_CREDENTIALS_FILE'], 'credentials');
  // The loader would use the rewritten text for the credentials file too, whose headers have another form.
  if (configFile === credentialsFile) return;
  const [config, credentials] = await Promise.all([textOf(configFile), textOf(credentialsFile)]);
  externalDataInterceptor.interceptFile(configFile, readableConfig(config, credentials));
}

/**
 * Reads the current ~/.aws files, or those in AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE. Loads the SDK's loader at first
 * use. Ignores its cache, because the files may have changed.
 */
async function readFiles(): Promise<Ini> {
  const { loadSharedConfigFiles, parseKnownFiles } = await import('@smithy/shared-ini-file-loader');
  await prepareAwsFiles();
  const loading = loadSharedConfigFiles({ ignoreCache: true });
  const { configFile } = await loading;
  const merged = await parseKnownFiles({ ignoreCache: true });
  // Sections such as `services x` and `sso-session x` are only in the config file's data.
  return { ...configFile, ...merged };
}

// Matches sections that are not profiles. The loader writes `services.name` or `services name`. It also reads `[profile x]` of
// the credentials file, which is the profile "profile x", as `profile.x`.
const otherSection = /^(?:(?:services|sso-session)[. ]|profile\.)/;

function factsOf(files: Ini, name: string): ProfileFacts | null {
  const profile = files[name];
  if (profile === undefined) return null;
  return {
    region: profile['region'] ?? null,
    endpointUrl: endpointOf(files, profile),
    kind: kindOf(profile),
  };
}

/** Returns the profile's endpoint. The S3 endpoint in its `services` section takes precedence. */
function endpointOf(files: Ini, profile: Readonly<Record<string, string | undefined>>): string | null {
  const services = profile['services'];
  const section =
    services === undefined ? undefined : (files[`services.${services}`] ?? files[`services ${services}`]);
  return section?.['s3.endpoint_url'] ?? profile['endpoint_url'] ?? null;
}

function kindOf(profile: Readonly<Record<string, string | undefined>>): AwsProfile['kind'] {
  // Checks in the same order as the resolver of the AWS SDK.
  if (profile['role_arn'] !== undefined)
    return profile['web_identity_token_file'] === undefined ? 'role' : 'web-identity';
  if (profile['aws_access_key_id'] !== undefined && profile['aws_secret_access_key'] !== undefined)
    return 'keys';
  if (profile['credential_process'] !== undefined) return 'process';
  if (profile['sso_session'] !== undefined || profile['sso_start_url'] !== undefined) return 'sso';
  return 'unknown';
}

/** Returns the profiles of ~/.aws in file order; empty if there are no files. */
export async function listAwsProfiles(): Promise<AwsProfile[]> {
  const files = await readFiles();
  return Object.keys(files)
    .filter((name) => !otherSection.test(name))
    .flatMap((name) => {
      const facts = factsOf(files, name);
      return facts === null ? [] : [{ name, ...facts }];
    });
}

/** Returns a profile's region and endpoint. Throws AppError('invalid-argument') for an unknown profile. */
export async function awsProfileFacts(name: string): Promise<ProfileFacts> {
  const facts = factsOf(await readFiles(), name);
  if (facts === null) {
    throw failure('invalid-argument', `There is no profile "${name}" in the files of ~/.aws.`, {
      retry: 'after-fix',
      reason: 'profile-missing',
    });
  }
  return facts;
}
