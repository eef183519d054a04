import type { OpenAPI3 } from 'openapi-typescript'
import { sections } from '../../server/src/features/index.ts'
import { apiChannel } from '../../server/src/platform/openapi/channel.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'
import { typesOf } from './types-of.ts'

type Described = { responses?: Record<string, { headers?: unknown; 'x-problem-codes'?: string[] }> }
type Document = { paths: Record<string, Record<string, Described>> }

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(Object.values<Described>)

/** Leaves out what no caller reads: headers, and failures, which the client throws as problems. They are most of it. */
function withoutFailures(document: Document): OpenAPI3 {
  const reduced = structuredClone(document)
  for (const { responses = {} } of operationsOf(reduced))
    for (const [status, response] of Object.entries(responses)) {
      delete response.headers
      if (!status.startsWith('2')) delete responses[status]
    }
  return reduced as unknown as OpenAPI3
}

/** All codes of problems, as a union of texts. */
function problemCodes(document: Document): string {
  const codes = operationsOf(document).flatMap(({ responses = {} }) =>
    Object.values(responses).flatMap((response) => response['x-problem-codes'] ?? []),
  )
  const lines = [...new Set(codes)].sort().map((code) => `    | ${JSON.stringify(code)}`)
  return `/** The codes with which the service says why a request failed. */\nexport type ProblemCode =\n${lines.join('\n')};\n`
}

/** Generates the types of the API from its OpenAPI document. */
export function clientTypes(path: string): Promise<string> {
  const document = openApiDocument(apiChannel(sections)) as unknown as Document
  return typesOf(withoutFailures(document), path, `\n${problemCodes(document)}`)
}
