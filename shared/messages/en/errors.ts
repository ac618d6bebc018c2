/** What failed, in one sentence, and what it means and what to do, in another. By code, and finer by reason. */
export const errors = {
  details: 'Show the service’s answer',
  hideDetails: 'Hide the service’s answer',
  copyDetails: 'Copy details',
  fields: {
    code: 'Type',
    reason: 'Reason',
    message: 'Message',
    serviceCode: 'Service code',
    serviceMessage: 'Service message',
    status: 'HTTP status',
    requestId: 'Request ID',
    expected: 'Expected',
    got: 'Received',
  },
  missingPermission: 'The permission {{permission}} is missing.',
  leadsTo: 'It names the address {{host}}.',
  retryAfter_one: 'The service asks you to wait {{count, number}} second.',
  retryAfter_other: 'The service asks you to wait {{count, number}} seconds.',
  retryIn_one: 'The service asked for a pause. Cooper tries again in {{count, number}} second.',
  retryIn_other: 'The service asked for a pause. Cooper tries again in {{count, number}} seconds.',
  waitOver: 'The pause that the service asked for is over.',
  codes: {
    'invalid-argument': {
      title: 'The service rejected this request',
      body: 'Nothing has changed. The details say why.',
    },
    cancelled: { title: 'Stopped', body: 'Nothing has changed. You can start it again.' },
    unsupported: {
      title: 'This service does not support this',
      body: 'Nothing has changed. Other features of the service may still work.',
    },
    'access-denied': {
      title: 'You do not have permission to do this',
      body: 'The key of this connection lacks the permission. Ask the bucket’s owner to grant it, or use another key.',
    },
    'auth-expired': {
      title: 'Your keys have expired',
      body: 'Nothing has changed. Enter new keys in the connection, or sign in again with the tool that issued them.',
    },
    'clock-skew': {
      title: 'This computer’s clock is wrong',
      body: 'Services reject keys if the clocks differ by more than 15 minutes. Set the date, time and time zone, then try again.',
    },
    'not-found': {
      title: 'It does not exist',
      body: 'It may have been deleted or renamed. Reload to see the current state.',
    },
    conflict: {
      title: 'It changed in the meantime',
      body: 'Nothing was overwritten. Reload to see the current state, then try again.',
    },
    'upload-gone': {
      title: 'This upload no longer exists',
      body: 'Another program completed or aborted it. Reload to see the current state.',
    },
    'parts-rejected': {
      title: 'The service rejects the parts',
      body: 'The stored parts have not changed. Check them again; the details say which one is wrong.',
    },
    network: {
      title: 'Cooper cannot reach the service',
      body: 'Your data is not affected. Check your network or VPN, then try again.',
    },
    timeout: {
      title: 'The service does not respond',
      body: 'Your data is not affected. The service may be busy, or the network slow. Try again later.',
    },
    'rate-limited': {
      title: 'The service is busy',
      body: 'Your data is not affected. Wait a little, then try again.',
    },
    server: {
      title: 'The service has an internal problem',
      body: 'Try again later. If it happens again, give the request ID to the service’s support.',
    },
    protocol: {
      title: 'The service sent an unexpected answer',
      body: 'The answer does not follow the S3 protocol. Check the endpoint of the connection. A proxy may have changed the answer.',
    },
    storage: {
      title: 'Cooper cannot use its data folder',
      body: 'Your buckets are not affected. Make sure that the disk is not full and that you can write to the folder.',
    },
    damaged: {
      title: 'The content does not match the service’s description',
      body: 'The object on the service has not changed, and Cooper saved no file. Try again. If it happens again, a proxy damages the content, or the stored object is damaged.',
    },
    disconnected: {
      title: 'Connection to Cooper lost',
      body: 'Reconnecting. Until then, this window may be out of date.',
    },
    internal: {
      title: 'Something went wrong in Cooper',
      body: 'Your data is not affected. Try again. If it happens again, report it with the details.',
    },
  },
  reasons: {
    'object-changed': {
      title: 'The object has changed',
      body: 'It is another one since it was opened here, and two versions are never mixed. Close the preview and open it again.',
    },
    'customer-key-needed': {
      title: 'Customer key missing',
      body: 'This object is encrypted with a key of your own that Cooper does not have for this connection. Add the key under “Upload with options”, then try again.',
    },
    'customer-key-needs-tls': {
      title: 'Customer keys need an encrypted connection',
      body: 'This connection uses http, so others on the network could read the key. Nothing was sent. Use an https:// endpoint, then try again.',
    },
    'encryption-ignored': {
      title: 'The service did not encrypt the object',
      body: 'The object is stored without the encryption that you asked for. Delete it if nobody may read it, and upload it without this option or to another service.',
    },
    'customer-key-invalid': {
      title: 'Invalid customer key',
      body: 'A key is 32 bytes in Base64: 44 characters that end in “=”. Nothing was saved.',
    },
    'pattern-invalid': {
      title: 'Invalid pattern',
      body: 'Nothing was searched. The details say what is wrong. To find the characters themselves, use “Contains”.',
    },
    'pattern-slow': {
      title: 'This pattern takes too long',
      body: 'Cooper stopped the search. Use a simpler expression without nested repetitions, or a pattern with * and ?.',
    },
    'walk-gone': {
      title: 'The results are no longer available',
      body: 'Cooper keeps results until you close them or quit. Search again.',
    },
    'plan-gone': {
      title: 'This plan is no longer available',
      body: 'Cooper keeps plans until you close them or quit. Nothing has changed. Make the plan again.',
    },
    'plan-incomplete': {
      title: 'The plan is incomplete',
      body: 'Nothing has changed. Make the plan again and let it finish.',
    },
    'plan-ran': {
      title: 'This plan has already run',
      body: 'It is under Transfers. To sync again, make a new plan.',
    },
    'count-differs': {
      title: 'The number of deletions differs',
      body: 'Nothing has changed. Check the plan again, and type the number that it shows.',
    },
    'file-unwritable': {
      title: 'Cooper could not write the file',
      body: 'An existing file is unchanged. Choose another folder, or make sure that you can write there.',
    },
    'into-itself': {
      title: 'A folder cannot be moved into itself',
      body: 'Nothing has changed. Choose another folder.',
    },
    'version-move': {
      title: 'A single version cannot be moved',
      body: 'Nothing has changed. Copy the version, then delete it.',
    },
    'outside-base': {
      title: 'This is outside the folder it was chosen in',
      body: 'Cooper did not change it. Select it in its own folder.',
    },
    'source-in-the-way': {
      title: 'Another object of this move is still there',
      body: 'Nothing was overwritten. Try again after the others have moved.',
    },
    'copy-unverified': {
      title: 'Cooper could not verify the copy',
      body: 'The original is unchanged. Check the object at the target, then try again.',
    },
    'results-gone': {
      title: 'The download no longer exists',
      body: 'It was moved, renamed or deleted. Download it again if you need it.',
    },
    'bucket-not-empty': {
      title: 'The bucket is not empty',
      body: 'The bucket was not deleted. Another program may have added something, or there are incomplete uploads. Check the bucket, then delete it again.',
    },
    'acl-not-carried': {
      title: 'Cooper could not copy the object’s permissions',
      body: 'Your key has no permission to set them (ACL), so the object stays where it is. Use another key, or copy the object instead: a copy does not take them along.',
    },
    'drop-no-space': {
      title: 'Not enough space for a copy of this file',
      body: 'A browser does not reveal where a dropped file is, so Cooper keeps a copy in its data folder until the upload is complete. Free some space, or choose the file instead: then Cooper needs no copy.',
    },
    'drop-wrong-size': {
      title: 'The file did not arrive complete',
      body: 'It may have changed meanwhile. Cooper kept nothing of it. Drop it again when no program is writing to it.',
    },
    'drop-not-taken': {
      title: 'Cooper could not read the file',
      body: 'It may have been moved or changed, or Cooper has quit. Nothing was kept or sent. Drop it again, or choose it instead.',
    },
    'drop-ticket': {
      title: 'Cooper could not read the file in time',
      body: 'Nothing was kept. Drop it again.',
    },
    'drop-too-many': {
      title: 'Too many files at once',
      body: 'Wait until some have arrived, then drop this file again.',
    },
    'drop-not-written': {
      title: 'Cooper could not write a copy of the file',
      body: 'The disk of the data folder rejected it. Nothing was sent. Choose the file instead: then Cooper needs no copy.',
    },
    'drop-by-path': {
      title: 'Cooper could not read the file',
      body: 'Drop it again, or choose it instead.',
    },
    'drop-not-a-file': {
      title: 'This is not a single file',
      body: 'Drop one file from your file manager. For a folder, use “Resume from a folder”.',
    },
    'drop-many': {
      title: 'More than one file',
      body: 'Drop one file. For several uploads, select them and resume from a folder.',
    },
    denied: {
      title: 'Access denied',
      body: 'The key of this connection lacks the permission. Ask the bucket’s owner to grant it, or use another key.',
    },
    'key-unknown': {
      title: 'The service does not know this access key',
      body: 'Make sure that the key in the connection is complete, still exists, and belongs to this provider.',
    },
    'secret-wrong': {
      title: 'The service rejects this access key and secret',
      body: 'Nothing has changed. Usually the secret does not belong to the key; some services, such as OpenStack Swift, also answer this way for an unknown key. Copy both again into the connection, including the last character.',
    },
    'token-invalid': {
      title: 'The session token does not belong to this key',
      body: 'Copy key, secret and token again, from the same place.',
    },
    'token-expired': {
      title: 'The temporary keys have expired',
      body: 'Enter a new key, secret and token in the connection.',
    },
    'account-problem': {
      title: 'The account has a problem',
      body: 'The service knows the key, but its account is suspended or not set up. Contact the provider.',
    },
    'anonymous-refused': {
      title: 'This needs an access key',
      body: 'Without a key you can read only public buckets. Add a key to the connection.',
    },
    'no-such-connection': {
      title: 'This connection no longer exists',
      body: 'It was removed, perhaps in another window. Your buckets are not affected.',
    },
    'no-such-bucket': {
      title: 'This bucket does not exist',
      body: 'It was deleted, or its name is misspelled. Upper and lower case matter.',
    },
    'no-such-key': {
      title: 'This object no longer exists',
      body: 'It was deleted or renamed after the list was loaded. Reload the folder.',
    },
    'object-archived': {
      title: 'This object is archived',
      body: 'Restore it under Properties before you read it. This can take hours and cost money.',
    },
    'region-mismatch': {
      title: 'The bucket is in another region',
      body: 'Set the right region in the connection. The details show it if the service reports it.',
    },
    'key-too-long': {
      title: 'The name is too long',
      body: 'A key has at most 1024 bytes in UTF-8. Nothing has changed.',
    },
    'unreadable-entry': {
      title: 'An entry of the listing cannot be read',
      body: 'Cooper must not leave it out here, so it stopped. Nothing was changed. The details name the entry: have it corrected or removed, or work with the folders beside it.',
    },
    'listing-stuck': {
      title: 'The service repeats the same page',
      body: 'Cooper stopped, because the list does not continue. The items loaded so far are right.',
    },
    'cut-short': {
      title: 'The answer was cut off',
      body: 'The connection was lost before the whole answer arrived. Try again.',
    },
    html: {
      title: 'A web page answered instead of a storage service',
      body: 'The endpoint is probably the address of a console or a website. Use the address of the S3 API.',
    },
    'unexpected-answer': {
      title: 'This does not seem to be a storage service',
      body: 'The server at the endpoint answers, but not with S3. Check the endpoint of the connection.',
    },
    'redirect-refused': {
      title: 'The service redirects to another address',
      body: 'Cooper does not send your keys there. If you trust that address, use it as the endpoint of the connection.',
    },
    dns: {
      title: 'Server not found',
      body: 'Check the spelling of the endpoint, and that this computer is online or in the right VPN.',
    },
    refused: {
      title: 'The server refused the connection',
      body: 'The server is not running, or the port in the endpoint is wrong.',
    },
    unreachable: {
      title: 'The server cannot be reached from here',
      body: 'Check that this computer is online, or in the right VPN.',
    },
    reset: {
      title: 'The connection was lost',
      body: 'Your data is not affected. Try again. If it happens again, check for a proxy or firewall.',
    },
    'connect-timeout': {
      title: 'The server did not respond in time',
      body: 'A firewall may block it, or the port in the endpoint is wrong.',
    },
    'tls-untrusted': {
      title: 'The certificate is not trusted',
      body: 'If your organisation has its own certificate authority, add it to the connection. Otherwise someone may be intercepting the connection: do not continue.',
    },
    'tls-hostname': {
      title: 'The certificate is for another name',
      body: 'Use the name in the certificate as the endpoint.',
    },
    'tls-expired': {
      title: 'The certificate is not valid today',
      body: 'It has expired or is not valid yet, and the operator of the service has to renew it. Check this computer’s date too.',
    },
    'tls-protocol': {
      title: 'This port does not use https',
      body: 'If the server is your own, try http:// or another port in the endpoint.',
    },
    'proxy-auth': {
      title: 'The proxy requires a user name and password',
      body: 'Add them to its address in the connection: http://name:password@host:port.',
    },
    'proxy-failed': {
      title: 'The proxy refused the connection',
      body: 'Check its address in the connection, or connect without a proxy.',
    },
    'slow-down': {
      title: 'The service is busy',
      body: 'Your data is not affected. Wait a little, then try again.',
    },
    'quota-exceeded': {
      title: 'Quota exceeded',
      body: 'The service stores nothing more until space is freed or the quota is raised. Stored data is safe.',
    },
  },
} as const;
