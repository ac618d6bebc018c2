/** Those of test/unit/service/harness.ts, for processes that have no test runner in them. */
export const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'TESTSECRETTESTSECRET' };
export const region = 'eu-central-1';
