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

/** The header of a section's first line, without brackets, as the SDK's loader reads it; null: another line. */
function headerOf(line: string): string | null {
  const text = line.split(/(?:^|\s)[;#]/)[0]?.trim() ?? '';
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : null;
}

/** Writes `[profile "my profile"]` as `[profile.my profile]`, which the SDK's loader reads whatever the name. */
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
export function readableConfig(config: string, credentials: string): string {
  return [...config.split(/\r?\n/).map(withPlainHeader), ...spacedCredentials(credentials)].join('\n');
}
