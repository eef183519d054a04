import type { OpenApiObject } from './components.ts'

type Parameter = { required?: boolean; schema?: { default?: unknown }; examples?: OpenApiObject }

/**
 * The document as the interactive reference reads it. The reference fills every parameter that has an example and sends
 * it, so a first request would have a cursor, dates and `If-Match`, and find nothing. Here, optional parameters begin
 * empty and switched off; their schemas still show the examples.
 */
export function referenceDocument(document: OpenApiObject): OpenApiObject {
  const copy = structuredClone(document) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>
    components: { parameters?: Record<string, Parameter> }
  }
  const operations = Object.values(copy.paths).flatMap((methods) => Object.values(methods))
  const parameters = [
    ...operations.flatMap((operation) => operation.parameters ?? []),
    ...Object.values(copy.components.parameters ?? {}),
  ]
  for (const parameter of parameters)
    if (parameter.schema && !parameter.required && parameter.schema.default === undefined)
      parameter.examples = { [selectedExample]: { value: '', 'x-disabled': true } }
  return copy
}

/** The name under which the reference looks for the value of a parameter. */
const selectedExample = 'default'
