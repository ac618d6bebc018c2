import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileKeys, readAwsProfile } from '../../../electron/core/connections/credentials.ts';
import { AppFailure } from '../../../shared/errors.ts';

/** A request to the stand-in for the token services (STS, IAM Identity Center). */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let home: string;
let server: Server;
let asked: Asked[];
/** The expiration of each set of keys that the service issues, in order. */
let expirations: string[];
let refuse: { readonly status: number; readonly body: string } | null;

beforeEach(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'cooper-tokens-'));
  mkdirSync(path.join(home, '.aws/sso/cache'), { recursive: true });
  asked = [];
  expirations = ['2030-01-01T00:00:00Z', '2030-01-01T01:00:00Z', '2030-01-01T02:00:00Z'];
  refuse = null;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    asked.push({ method, path: url, headers, body });
    const reply = refuse ?? answerOf(url, body, asked.length);
    response.writeHead(reply.status, {
      'content-type': reply.body.startsWith('<') ? 'text/xml' : 'application/json',
    });
    response.end(reply.body);
  };
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('AWS_ENDPOINT_URL_STS', endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_SSO', endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_SSO_OIDC', endpoint);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  rmSync(home, { recursive: true, force: true });
});

function answerOf(url: string, body: string, number: number): { status: number; body: string } {
  const action = new URLSearchParams(body).get('Action');
  const expiration = expirations[number - 1] ?? '2031-01-01T00:00:00Z';
  if (action === 'AssumeRole' || action === 'AssumeRoleWithWebIdentity') {
    return {
      status: 200,
      body:
        `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>` +
        `<AccessKeyId>ASIAROLE${String(number)}</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey>` +
        `<SessionToken>role-token-${String(number)}</SessionToken><Expiration>${expiration}</Expiration></Credentials>` +
        `<AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>X:s</AssumedRoleId></AssumedRoleUser>` +
        `</${action}Result><ResponseMetadata><RequestId>req</RequestId></ResponseMetadata></${action}Response>`,
    };
  }
  if (url.startsWith('/federation/credentials')) {
    const roleCredentials = {
      accessKeyId: `ASIASSO${String(number)}`,
      secretAccessKey: 'sso-secret',
      sessionToken: `sso-token-${String(number)}`,
      expiration: Date.parse(expiration),
    };
    return { status: 200, body: JSON.stringify({ roleCredentials }) };
  }
  return { status: 404, body: '{}' };
}

function config(body: string, credentials = ''): void {
  writeFileSync(path.join(home, '.aws/config'), body);
  writeFileSync(path.join(home, '.aws/credentials'), credentials);
}

const ssoConfig = `[profile corp]
sso_session = main
sso_account_id = 123456789012
sso_role_name = reader
region = eu-west-1
[sso-session main]
sso_start_url = https://corp.example.com/start
sso_region = eu-west-1
`;

function signedIn(expiresAt: string): void {
  const name = createHash('sha1').update('main').digest('hex');
  writeFileSync(
    path.join(home, '.aws/sso/cache', `${name}.json`),
    JSON.stringify({
      accessToken: 'sign-in-token',
      expiresAt,
      region: 'eu-west-1',
      startUrl: 'https://corp.example.com/start',
    }),
  );
}

test('a role profile assumes its role with the keys of its source profile', async () => {
  config(
    '[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = base\nrole_session_name = cooper\nexternal_id = e1\nregion = eu-west-1\n',
    '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret\n',
  );
  expect(await readAwsProfile('admin')).toStrictEqual({
    accessKeyId: 'ASIAROLE1',
    secretAccessKey: 'role-secret',
    sessionToken: 'role-token-1',
    expiresAtMs: Date.parse('2030-01-01T00:00:00Z'),
  });
  const [request] = asked;
  expect(request?.headers.authorization).toContain('Credential=AKIABASE/');
  const sent = new URLSearchParams(request?.body);
  expect(sent.get('Action')).toBe('AssumeRole');
  expect(sent.get('RoleArn')).toBe('arn:aws:iam::1:role/admin');
  expect(sent.get('RoleSessionName')).toBe('cooper');
  expect(sent.get('ExternalId')).toBe('e1');
});

test('a role chained to a role assumes both, the second with the keys of the first', async () => {
  config(
    '[profile outer]\nrole_arn = arn:aws:iam::2:role/outer\nsource_profile = inner\n[profile inner]\nrole_arn = arn:aws:iam::1:role/inner\nsource_profile = base\n',
    '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret\n',
  );
  expect((await readAwsProfile('outer')).accessKeyId).toBe('ASIAROLE2');
  expect(asked.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])).toStrictEqual(
    ['AKIABASE', 'ASIAROLE1'],
  );
});

test('the keys of a role are renewed before they expire, once for all waiting requests', async () => {
  config(
    '[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = base\n',
    '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret\n',
  );
  let nowMs = Date.parse('2029-12-31T23:00:00Z');
  const keys = profileKeys('admin', { nowMs: () => nowMs });
  expect((await keys({ refresh: false })).accessKeyId).toBe('ASIAROLE1');
  expect((await keys({ refresh: false })).accessKeyId).toBe('ASIAROLE1');
  nowMs = Date.parse('2029-12-31T23:56:00Z');
  const renewed = await Promise.all([
    keys({ refresh: false }),
    keys({ refresh: false }),
    keys({ refresh: false }),
  ]);
  expect(renewed.map(({ accessKeyId }) => accessKeyId)).toStrictEqual([
    'ASIAROLE2',
    'ASIAROLE2',
    'ASIAROLE2',
  ]);
  expect(asked).toHaveLength(2);
});

test('a web identity profile sends the token from its file without signing', async () => {
  const file = path.join(home, 'token');
  writeFileSync(file, 'identity-token');
  config(
    `[profile pod]\nrole_arn = arn:aws:iam::1:role/pod\nweb_identity_token_file = ${file}\nregion = eu-west-1\n`,
  );
  expect((await readAwsProfile('pod')).sessionToken).toBe('role-token-1');
  const sent = new URLSearchParams(asked[0]?.body);
  expect(sent.get('Action')).toBe('AssumeRoleWithWebIdentity');
  expect(sent.get('WebIdentityToken')).toBe('identity-token');
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

test('a signed-in SSO profile gets keys for its account and role', async () => {
  config(ssoConfig);
  signedIn('2999-01-01T00:00:00Z');
  expect(await readAwsProfile('corp')).toStrictEqual({
    accessKeyId: 'ASIASSO1',
    secretAccessKey: 'sso-secret',
    sessionToken: 'sso-token-1',
    expiresAtMs: Date.parse('2030-01-01T00:00:00Z'),
  });
  expect(asked[0]?.path).toContain('role_name=reader');
  expect(asked[0]?.path).toContain('account_id=123456789012');
  expect(asked[0]?.headers['x-amz-sso_bearer_token']).toBe('sign-in-token');
});

test('an expired SSO sign-in fails with how to sign in again, without a request', async () => {
  config(ssoConfig);
  signedIn('2001-01-01T00:00:00Z');
  const thrown = await failureOf(readAwsProfile('corp'));
  expect(thrown.error.code).toBe('auth-expired');
  expect(thrown.error.message).toContain('aws sso login');
  expect(asked).toHaveLength(0);
});

test("a refused role fails with the token service's message, without the secret", async () => {
  config(
    '[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = base\n',
    '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret\n',
  );
  refuse = {
    status: 403,
    body: '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User is not authorized to perform: sts:AssumeRole</Message></Error><RequestId>r</RequestId></ErrorResponse>',
  };
  const thrown = await failureOf(readAwsProfile('admin'));
  expect(thrown.error.message).toContain('not authorized to perform: sts:AssumeRole');
  expect(JSON.stringify(thrown.error)).not.toContain('base-secret');
});

async function failureOf(promise: Promise<unknown>): Promise<AppFailure> {
  const thrown: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof AppFailure)) throw new Error('It did not fail as foreseen.');
  return thrown;
}
