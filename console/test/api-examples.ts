import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The operations of the API, each with the example of its answer in the description of the API. */
    exampleOperations: { name: string; mutates: boolean; answer: unknown }[]
  }
}

/** Reads the examples of the API, which `npm run generate` writes, once for all test workers. */
export function setup(project: TestProject): void {
  project.provide('exampleOperations', JSON.parse(readFileSync(join(import.meta.dirname, 'api-examples.json'), 'utf8')))
}
