// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parts of shell scripts.
import fc from 'fast-check'
import { modelRuns } from '../../server/test/world/model-runs.ts'

/** What has a meaning to some shell, script, template or file system. */
const fragments = [
  ...[
    '"',
    "'",
    '`',
    '%',
    '&',
    '|',
    '<',
    '>',
    '^',
    '!',
    ';',
    '$',
    '#',
    '\\',
    '/',
    ' ',
    '=',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
  ],
  ...['$(touch x)', '`touch x`', '%PATH%', '%MUSTER_VAR_OTHER%', '!PATH!', '&&', '||', '${IFS}', '{{7*7}}', '[PATH]'],
  ...[
    ' & echo x> ran & rem ',
    '" & echo x> ran & rem "',
    "'; touch ran; '",
    '-oDPkg::Pre-Invoke::=touch',
    '/x',
    '@file',
  ],
  ...['\n', '\r\n', '\t', '\0', '\u001b[2J', '\u202e', '\u2066', '\ufeff', '\u2028', 'ä', '日本', '😀'],
  ...['C:\\dir\\', '..\\..\\x', 'file.txt:stream', 'x::$DATA', 'NUL', '--', '', 'plain'],
]

/** Values that a variable of a computer may have. */
export const hostileValues: readonly string[] = [
  ...fragments,
  'x" & echo x> ran & rem "',
  'two  words ',
  'ends with backslashes\\\\',
  'x'.repeat(65_536),
  'ä日'.repeat(32_768),
  '"&'.repeat(32_768),
]

/** The database stores neither NUL nor halves of characters. */
export const storableValues = hostileValues.filter((value) => !value.includes('\0'))

export const mixedValues = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 })
  .map((some) => some.join(''))

/** Checks every listed value, and some that are made of the same fragments. */
export async function forHostileValues(
  check: (value: string) => void | Promise<void>,
  listed: readonly string[] = hostileValues,
): Promise<void> {
  for (const value of listed) await check(value)
  const property = fc.asyncProperty(mixedValues, async (value) => {
    if (listed === hostileValues || !value.includes('\0')) await check(value)
  })
  await fc.assert(property, { numRuns: modelRuns(20) })
}

/** What became of a value: it has arrived as it is, or was refused with a reason. */
export type Fate = { arrived: string } | { refused: string }
