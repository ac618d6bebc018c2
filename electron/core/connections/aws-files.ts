import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { AwsProfile } from '../../../shared/models/connection.ts';

const wordPattern = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/g;
const quotedPattern = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/g;

/** Splits a header as a shell does (Python's shlex, which awscli uses); null: a quote is not closed. */
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
 * Returns a text of the config file in which the SDK's loader finds the profiles that awscli finds. The loader drops quoted names
 * with spaces, names in other than ASCII letters and names such as `a(b)`.
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

/** Reads a file. Returns '' if it cannot be read, so that it has no profiles, as in the SDK's loader. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

/** Writes the current config file into the cache of the SDK's loader, with the names of unreadable profiles rewritten. */
export async function prepareAwsFiles(): Promise<void> {
  const { externalDataInterceptor, getHomeDir } = await import('@smithy/shared-ini-file-loader');
  const fileOf = (set: string | undefined, name: string): string =>
    set === undefined || set === ''
      ? path.join(getHomeDir(), '.aws', name)
      : set.replace(/^~\//, `${getHomeDir()}/`);
  const configFile = fileOf(process.env['AWS_CONFIG_FILE'], 'config');
  const credentialsFile = fileOf(process.env['AWS_SHARED_CREDENTIALS_FILE'], 'credentials');
  // The loader would also read this as the credentials file, in which headers have another form.
  if (configFile === credentialsFile) return;
  const [config, credentials] = await Promise.all([textOf(configFile), textOf(credentialsFile)]);
  externalDataInterceptor.interceptFile(configFile, readableConfig(config, credentials));
}

/**
 * Reads the current ~/.aws files; AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE are honoured. Loads the loader at first use.
 * `ignoreCache`, because the files may have changed since the last read.
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

// Sections that are no profiles; the loader writes `services.name` or `services name`, and reads `[profile x]` of the
// credentials file, which is the profile "profile x", as `profile.x` too.
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

/** Returns the profile's endpoint; the S3 endpoint of its `services` section takes precedence. */
function endpointOf(files: Ini, profile: Readonly<Record<string, string | undefined>>): string | null {
  const services = profile['services'];
  const section =
    services === undefined ? undefined : (files[`services.${services}`] ?? files[`services ${services}`]);
  return section?.['s3.endpoint_url'] ?? profile['endpoint_url'] ?? null;
}

function kindOf(profile: Readonly<Record<string, string | undefined>>): AwsProfile['kind'] {
  // The same order as in the AWS SDK's resolver.
  if (profile['role_arn'] !== undefined)
    return profile['web_identity_token_file'] === undefined ? 'role' : 'web-identity';
  if (profile['aws_access_key_id'] !== undefined && profile['aws_secret_access_key'] !== undefined)
    return 'keys';
  if (profile['credential_process'] !== undefined) return 'process';
  if (profile['sso_session'] !== undefined || profile['sso_start_url'] !== undefined) return 'sso';
  return 'unknown';
}

/** Returns the profiles of ~/.aws in file order; none without files. */
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
