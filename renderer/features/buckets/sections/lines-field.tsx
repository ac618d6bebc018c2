import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { splitLines } from './bucket-form-model.ts';

interface Props {
  readonly label: string;
  readonly description: string;
  readonly lines: readonly string[];
  readonly onChange: (lines: readonly string[]) => void;
}

/** A field with one value per line. Empty lines stay while typing but are not part of the value. */
export function LinesField({ label, description, lines, onChange }: Props) {
  const [text, setText] = useState(lines.join('\n'));
  const isOwn = splitLines(text).join('\n') === lines.join('\n');
  return (
    <Textarea
      size="xs"
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
      autoComplete="off"
      value={isOwn ? text : lines.join('\n')}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(splitLines(event.currentTarget.value));
      }}
    />
  );
}
