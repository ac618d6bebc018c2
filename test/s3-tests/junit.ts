/**
 * Returns the tests that passed, sorted, by the names that pytest uses on its command line. `report` is the XML of `--junitxml`.
 */
export function passedTests(report: string): readonly string[] {
  const names: string[] = [];
  for (const match of report.matchAll(/<testcase ([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const [, attributes = '', , inner = ''] = match;
    if (/<(failure|error|skipped)\b/.test(inner)) continue;
    const module = attribute(attributes, 'classname');
    const name = attribute(attributes, 'name');
    names.push(`${module.replaceAll('.', '/')}.py::${name}`);
  }
  return names.toSorted();
}

function attribute(text: string, name: string): string {
  const value = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
