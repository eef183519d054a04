import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PayloadStatement = { title: string; statement: string }

/** The statements of payloads.sql, each below the title that it has in the file. */
export function payloadStatements(): PayloadStatement[] {
  const text = readFileSync(join(import.meta.dirname, 'payloads.sql'), 'utf8')
  const [, ...sections] = text.split(/^-- (?=[a-z])/m)
  return sections.flatMap((section) => {
    const [title = '', ...lines] = section.split('\n')
    const statements = lines.join('\n').match(/\S[^;]*;/g) ?? []
    return statements.map((statement) => ({ title, statement }))
  })
}
