import { operations } from '../../server/src/features/index.ts'
import { exampleOf } from '../../server/src/platform/openapi/example.ts'
import type { AnyOperation } from '../../server/src/platform/operation.ts'
import type { TSchema } from '../../server/src/platform/schema.ts'

/** The operations of the API, each with the example of its answer in the description of the API: the fake service of the console. */
export function apiExamples(): string {
  const examples = operations.map((operation) => ({
    name: `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    mutates: operation.mutates,
    answer: answerExample(operation),
  }))
  // Where two match, the one with fewer parameters answers.
  const sorted = examples.toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)
  return `${JSON.stringify(sorted, undefined, 2)}\n`
}

function answerExample({ returns, answerType }: AnyOperation): unknown {
  if (answerType) return null
  const [, schema] = Object.entries(returns).find(([status]) => Number(status) < 300) ?? []
  return schema ? exampleOf(schema as TSchema) : null
}
