import { type Callers, type FuzzRequest, requestWith } from './build-request.ts'
import type { FuzzOperation } from './documents.ts'
import type { Harvest } from './harvest.ts'
import type { Random } from './random.ts'
import { validValue } from './valid-values.ts'

/** Whether the operation accepts an array anywhere in its body. */
export function acceptsArray({ body }: FuzzOperation): boolean {
  return body !== undefined && JSON.stringify(body.example).includes('[')
}

/** A valid request, in which every array names each of its items twice. */
export function repeatEveryItem(
  random: Random,
  operation: FuzzOperation,
  harvest: Harvest,
  callers: Callers,
): FuzzRequest {
  const value = validValue({ random, harvest, operation }, operation.body?.schema ?? {})
  return requestWith({ random, harvest, operation }, callers, Buffer.from(JSON.stringify(repeatItems(value))))
}

function repeatItems(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value].map(repeatItems)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, repeatItems(child)]))
}
