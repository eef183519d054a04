import { type Callers, type FuzzRequest, requestWith } from './build-request.ts'
import type { FuzzOperation, Schema } from './documents.ts'
import type { Harvest } from './harvest.ts'
import type { Random } from './random.ts'
import { validValue } from './valid-values.ts'

/** The names of the properties that lead to an array in the body of an operation. */
export type ArrayPath = readonly string[]

const maxPathLength = 6

/** All arrays that the operation accepts in its body, including those that are optional or within others. */
export function listArrayPaths({ body, resolve }: FuzzOperation): ArrayPath[] {
  const pathsIn = (schema: Schema, path: ArrayPath): ArrayPath[] => {
    const { type, anyOf = [], items, properties = {} } = resolve(schema)
    if (path.length > maxPathLength) return []
    return [
      ...([type].flat().includes('array') ? [path, ...pathsIn(items ?? {}, path)] : []),
      ...anyOf.flatMap((option) => pathsIn(option, path)),
      ...Object.entries(properties).flatMap(([name, property]) => pathsIn(property, [...path, name])),
    ]
  }
  const paths = body ? pathsIn(body.schema, []) : []
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()]
}

export type RepetitionOptions = {
  path: ArrayPath
  /** Whether the request has nothing else that could make it invalid. */
  isPlain: boolean
}

/** A request that would be valid, if one of its arrays did not name its items twice. */
export function repeatItems(
  random: Random,
  operation: FuzzOperation,
  { path, isPlain }: RepetitionOptions,
  harvest: Harvest,
  callers: Callers,
): FuzzRequest {
  const context = { random, harvest, operation, isPlain }
  const value = validValue({ ...context, path }, operation.body?.schema ?? {})
  for (const array of arraysAt(value, path)) array.push(...structuredClone(array))
  return requestWith(context, callers, Buffer.from(JSON.stringify(value)))
}

/** The arrays at the end of the path: several, if it leads through other arrays. */
function arraysAt(value: unknown, path: ArrayPath): unknown[][] {
  const [name, ...rest] = path
  if (Array.isArray(value)) return name === undefined ? [value] : value.flatMap((item) => arraysAt(item, path))
  if (typeof value !== 'object' || value === null || name === undefined) return []
  return arraysAt((value as Record<string, unknown>)[name], rest)
}
