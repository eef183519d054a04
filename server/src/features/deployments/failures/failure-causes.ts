import { type RawBuilder, sql } from 'kysely'

/** Longer outputs differ in their details, and the reason for a failure is near the end. */
const maxCauseLength = 200

/**
 * What differs between computers that fail for the same reason, with its placeholder. The order matters: a path may contain
 * numbers. The patterns mean the same in JavaScript and in PostgreSQL, so both sides find the same cause.
 */
const variableParts: readonly (readonly [pattern: string, placeholder: string])[] = [
  // Quotation marks are a matter of the program that printed the text.
  [`["'\`“”„‘’]`, ''],
  ['[a-z][a-z0-9+.-]*://[^ ,;)]+', '<url>'],
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '<id>'],
  ['([a-z]:|[\\\\][\\\\][^\\\\ ]+)[\\\\][^ ,;:)]*', '<path>'],
  ['(^|[ =(:])~?/[^ ,;:)]*', ' <path>'],
  ['0x[0-9a-f]+', '<hex>'],
  ['[a-z0-9_-]+([.][a-z0-9_-]+)*[.](local|lan|corp|internal|intranet|com|net|org|de|eu|io)([^a-z0-9]|$)', '<host> '],
  ['[0-9a-f]*[0-9][0-9a-f]{6,}', '<n>'],
  ['[0-9]+([.,:-][0-9]+)*', '<n>'],
  ['[ \t\r\n]+', ' '],
]

/** The reason in the output of a failed command: equal for computers that failed alike. Empty if there is no output. */
export function toFailureCause(output: string): string {
  const text = lastLine(output).toLowerCase()
  const replaced = variableParts.reduce((rest, [pattern, by]) => rest.replace(new RegExp(pattern, 'g'), by), text)
  return trimSpaces([...trimSpaces(replaced)].slice(0, maxCauseLength).join(''))
}

const trimSpaces = (text: string) => text.replaceAll(/^ +| +$/g, '')

/** The last line with text; programs print what went wrong at the end. */
function lastLine(output: string): string {
  return output.split('\n').findLast((line) => /[^ \t\r]/.test(line)) ?? ''
}

/** The last line with text of an output, which must not be null: outputs with the same line have the same cause. */
export const lastLineOf = (output: RawBuilder<string>) =>
  sql<string>`coalesce((regexp_match(${output}, '([^\\n]*[^ \\t\\r\\n])[ \\t\\r\\n]*$'))[1], '')`

/** The reason in the last line of an output. */
export function causeOfLine(line: RawBuilder<string>): RawBuilder<string> {
  const replaced = variableParts.reduce<RawBuilder<string>>(
    (rest, [pattern, by]) => sql<string>`regexp_replace(${rest}, ${sql.lit(pattern)}, ${sql.lit(by)}, 'g')`,
    sql<string>`lower(${line})`,
  )
  return sql<string>`btrim(left(btrim(${replaced}), ${sql.lit(maxCauseLength)}))`
}

/** The same as `toFailureCause`, as an SQL expression. `output` must not be null. */
export const failureCauseOf = (output: RawBuilder<string>) => causeOfLine(lastLineOf(output))
