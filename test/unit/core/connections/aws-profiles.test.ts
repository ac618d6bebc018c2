import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { awsProfileFacts, listAwsProfiles } from '../../../../electron/core/connections/aws-files.ts';
import { readAwsProfile } from '../../../../electron/core/connections/credentials.ts';
import { endpointConfigOf } from '../../../../electron/core/connections/endpoint-config.ts';
import { noSecrets } from '../../../../electron/core/connections/stored-connection.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
} from '../../../support/core/core-under-test.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

let dir = '';

beforeEach(() => {
  dir = tempDir();
  vi.stubEnv('AWS_CONFIG_FILE', path.join(dir, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path.join(dir, 'credentials'));
  vi.stubEnv('HOME', dir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

const config = (text: string) => writeFileSync(path.join(dir, 'config'), text);
const credentials = (text: string) => writeFileSync(path.join(dir, 'credentials'), text);

/** Creates a credential program that prints this JSON and counts its runs. */
function keyProgram(json: object): string {
  const file = path.join(dir, 'keys.sh');
  writeFileSync(file, `#!/bin/sh\necho run >> "${dir}/runs"\ncat <<'END'\n${JSON.stringify(json)}\nEND\n`);
  chmodSync(file, 0o755);
  return file;
}

test('without AWS files the list of profiles is empty', async () => {
  expect(await listAwsProfiles()).toEqual([]);
});

test('profiles are listed with region, endpoint and kind, and without secrets', async () => {
  config(`[default]
region = eu-central-1
[profile work]
sso_session = corp
sso_account_id = 1
sso_role_name = r
region = us-west-2
[profile admin]
role_arn = arn:aws:iam::1:role/admin
source_profile = default
[profile web]
role_arn = arn:aws:iam::1:role/web
web_identity_token_file = /nowhere
[profile local]
endpoint_url = http://127.0.0.1:9000
credential_process = /bin/keys
services = lab
[profile empty]
output = json
[services lab]
s3 =
  endpoint_url = http://127.0.0.1:9001
[sso-session corp]
sso_start_url = https://corp.example.com
sso_region = us-west-2
`);
  credentials(`[default]
aws_access_key_id = AKIADEFAULT
aws_secret_access_key = do-not-show
`);
  const profiles = await listAwsProfiles();
  expect(JSON.stringify(profiles)).not.toMatch(/do-not-show|AKIADEFAULT/);
  expect(profiles.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual([
    'admin role',
    'default keys',
    'empty unknown',
    'local process',
    'web web-identity',
    'work sso',
  ]);
  expect(profiles.find(({ name }) => name === 'default')).toMatchObject({
    region: 'eu-central-1',
    endpointUrl: null,
  });
  expect(profiles.find(({ name }) => name === 'local')?.endpointUrl).toBe('http://127.0.0.1:9001');
});

test("a profile's own endpoint_url applies if its services section names none for S3", async () => {
  config(
    '[profile a]\nendpoint_url = https://a.example.com\nservices = x\n[services x]\ndynamodb =\n  endpoint_url = https://d.example.com\n',
  );
  expect((await awsProfileFacts('a')).endpointUrl).toBe('https://a.example.com');
});

const unusualNames: readonly (readonly [string, string])[] = [
  ['profile "my profile"', 'my profile'],
  ["profile 'my profile'", 'my profile'],
  ['profile my\\ profile', 'my profile'],
  ['profile "a \\"b\\""', 'a "b"'],
  ['profile Müller', 'Müller'],
  ['profile a(b)', 'a(b)'],
  ['profile  two-spaces', 'two-spaces'],
  ['profile\ttab', 'tab'],
  ['profile a.b', 'a.b'],
  ['profile работа', 'работа'],
];

// As `aws configure list-profiles` of awscli 2 lists them; config sections are split like a shell's words.
test.each(unusualNames)('the section [%s] is read as the profile %j with its keys', async (section, name) => {
  config(`[${section}]\nregion = eu-x\naws_access_key_id = AK\naws_secret_access_key = one\n`);
  expect(await listAwsProfiles()).toEqual([{ name, region: 'eu-x', endpointUrl: null, kind: 'keys' }]);
  expect((await awsProfileFacts(name)).region).toBe('eu-x');
  expect(await readAwsProfile(name)).toEqual({ accessKeyId: 'AK', secretAccessKey: 'one' });
});

test.each(['profile my profile', "profile o'brien", 'profile "open', 'my profile'])(
  'the section [%s] of the config file is not a profile, as in awscli',
  async (section) => {
    config(`[${section}]\nregion = eu-x\n`);
    expect(await listAwsProfiles()).toEqual([]);
  },
);

test.each(['my profile', 'Müller', 'a(b)', 'profile work', '"quoted"'])(
  'the section [%s] of the credentials file is read as the profile of that name',
  async (name) => {
    config('[default]\nregion = eu-x\n');
    credentials(`[${name}]\naws_access_key_id = AK\naws_secret_access_key = one\n`);
    expect((await listAwsProfiles()).map((profile) => profile.name)).toEqual(['default', name]);
    expect(await readAwsProfile(name)).toEqual({ accessKeyId: 'AK', secretAccessKey: 'one' });
  },
);

test('the credentials file overrides the config file for a profile with spaces in its name', async () => {
  config('[profile "my profile"]\nregion = eu-x\naws_access_key_id = A\naws_secret_access_key = old\n');
  credentials('[my profile]\naws_access_key_id = B\naws_secret_access_key = new\n');
  expect((await awsProfileFacts('my profile')).region).toBe('eu-x');
  expect(await readAwsProfile('my profile')).toEqual({ accessKeyId: 'B', secretAccessKey: 'new' });
  credentials('[my profile]\naws_access_key_id = C\naws_secret_access_key = newer\n');
  expect(await readAwsProfile('my profile')).toEqual({ accessKeyId: 'C', secretAccessKey: 'newer' });
});

test('services and sso-session sections with spaces in their names are found', async () => {
  config(
    '[profile a]\nservices = my lab\nsso_session = my corp\n[services "my lab"]\ns3 =\n  endpoint_url = https://l.example.com\n[sso-session "my corp"]\nsso_region = eu-x\n',
  );
  expect(await listAwsProfiles()).toEqual([
    { name: 'a', region: null, endpointUrl: 'https://l.example.com', kind: 'sso' },
  ]);
});

test('the AWS files are re-read each time', async () => {
  config('[profile a]\nregion = one\n');
  expect((await awsProfileFacts('a')).region).toBe('one');
  config('[profile a]\nregion = two\n');
  expect((await awsProfileFacts('a')).region).toBe('two');
});

test.each([
  ['cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn'],
  ['us-isob-east-1', 'https://s3.us-isob-east-1.sc2s.sgov.gov'],
  ['eusc-de-east-1', 'https://s3.eusc-de-east-1.amazonaws.eu'],
])('a profile in %s uses the endpoint %s', async (region, endpoint) => {
  config(`[profile a]\nregion = ${region}\n`);
  const { auth: _keys, ...rest } = inputFor('', { region: null });
  const stored = { ...rest, hasProxyPassword: false, auth: { kind: 'aws-profile' as const, profile: 'a' } };
  expect(await endpointConfigOf(stored, noSecrets, { nowMs: () => 0 })).toMatchObject({ endpoint, region });
});

test('a missing profile is reported by name', async () => {
  expect(await errorOf(awsProfileFacts('gone'))).toMatchObject({
    code: 'invalid-argument',
    reason: 'profile-missing',
  });
});

test('keys from the credentials file are used and not copied', async () => {
  credentials('[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = one\naws_session_token = t\n');
  expect(await readAwsProfile('work')).toEqual({
    accessKeyId: 'AKIAWORK',
    secretAccessKey: 'one',
    sessionToken: 't',
  });
});

test("a non-ASCII character in a profile's keys is named by position", async () => {
  credentials('[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = hunt\u0435r22\n');
  const error = await errorOf(readAwsProfile('work'));
  expect(error).toMatchObject({ code: 'invalid-argument', reason: 'profile-unusable' });
  expect(error.message).toContain('character 5 of aws_secret_access_key (U+0435)');
  expect(JSON.stringify(error)).not.toContain('hunt');
});

test('a credential_process is run and its expiration used', async () => {
  const program = keyProgram({
    Version: 1,
    AccessKeyId: 'AKIAPROC',
    SecretAccessKey: 's',
    SessionToken: 't',
    Expiration: '2099-01-01T00:00:00Z',
  });
  config(`[profile proc]\ncredential_process = ${program}\n`);
  expect(await readAwsProfile('proc')).toEqual({
    accessKeyId: 'AKIAPROC',
    secretAccessKey: 's',
    sessionToken: 't',
    expiresAtMs: Date.UTC(2099, 0, 1),
  });
});

test('an expired sign-in is reported as auth-expired, and a profile without keys as such', async () => {
  config(`[profile work]
sso_session = corp
sso_account_id = 1
sso_role_name = r
[sso-session corp]
sso_start_url = https://corp.example.com
sso_region = us-west-2
[profile empty]
output = json
`);
  expect(await errorOf(readAwsProfile('work'))).toMatchObject({
    code: 'auth-expired',
    reason: 'token-expired',
  });
  expect(await errorOf(readAwsProfile('empty'))).toMatchObject({
    code: 'invalid-argument',
    reason: 'profile-unusable',
  });
});

test('a connection by profile reads endpoint, region and keys from the files and lists buckets', async () => {
  const service = await serviceUnderTest();
  const program = keyProgram({
    Version: 1,
    AccessKeyId: serviceKeys.accessKeyId,
    SecretAccessKey: serviceKeys.secretAccessKey,
  });
  config(
    `[profile lab]\nregion = us-east-1\nendpoint_url = ${service.endpoint}\ncredential_process = ${program}\n`,
  );
  const { client } = coreUnderTest();
  const { id } = await client.connections.create(
    inputFor('', { region: null, auth: { kind: 'aws-profile', profile: 'lab' } }),
  );
  expect(await client.buckets.list({ connectionId: id })).toEqual({ buckets: [], error: null });
});

test('a profile whose endpoint_url has a path signs and sends every request below that path', async () => {
  const service = await serviceUnderTest({ quirks: { basePath: '/storage/v1/s3' } });
  const program = keyProgram({
    Version: 1,
    AccessKeyId: serviceKeys.accessKeyId,
    SecretAccessKey: serviceKeys.secretAccessKey,
  });
  config(
    `[profile lab]\nregion = us-east-1\nendpoint_url = ${service.endpoint}/storage/v1/s3/\ncredential_process = ${program}\n`,
  );
  const { client, core } = coreUnderTest();
  const { id } = await client.connections.create(
    inputFor('', { region: null, auth: { kind: 'aws-profile', profile: 'lab' } }),
  );
  const s3 = await core.connectionClient(id);
  await s3.createBucket({ bucket: 'photos' });
  await s3.putObject({ bucket: 'photos', key: 'a b', body: { sizeBytes: 1, open: () => Buffer.from('x') } });
  expect((await client.buckets.list({ connectionId: id })).buckets.map(({ name }) => name)).toEqual([
    'photos',
  ]);
  expect((await s3.listObjects({ bucket: 'photos' })).objects.map(({ key }) => key)).toEqual(['a b']);
});
