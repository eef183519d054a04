import type { TestProject } from 'vitest/node'
import { operations } from '../../server/src/features/index.ts'
import { exampleOf } from '../../server/src/platform/openapi/example.ts'
import type { AnyOperation } from '../../server/src/platform/operation.ts'
import type { TSchema } from '../../server/src/platform/schema.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The operations of the API, each with the example of its answer in the description of the API. */
    exampleOperations: { name: string; mutates: boolean; answer: unknown }[]
  }
}

/** Reads the examples of the API once for all test workers. */
export function setup(project: TestProject): void {
  const examples = operations.map((operation) => ({
    name: `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    mutates: operation.mutates,
    answer: answerExample(operation),
  }))
  // Where two match, the one with fewer parameters answers.
  project.provide(
    'exampleOperations',
    examples.toSorted((a, b) => a.name.split('{').length - b.name.split('{').length),
  )
}

function answerExample({ returns, answerType }: AnyOperation): unknown {
  if (answerType) return null
  const [, schema] = Object.entries(returns).find(([status]) => Number(status) < 300) ?? []
  return schema ? exampleOf(schema as TSchema) : null
}
