import { type Callers, type FuzzRequest, requestWith } from './build-request.ts'
import type { FuzzOperation } from './documents.ts'
import type { Harvest } from './harvest.ts'
import type { Random } from './random.ts'
import { validValue } from './valid-values.ts'

/** Whether the operation accepts an array anywhere in its body. */
export function acceptsArray({ body }: FuzzOperation): boolean {
  return body !== undefined && JSON.stringify(body.example).includes('[')
}

/** A request that would be valid, if one of its arrays did not name its items twice. */
export function repeatItems(random: Random, operation: FuzzOperation, harvest: Harvest, callers: Callers): FuzzRequest {
  const value = validValue({ random, harvest, operation }, operation.body?.schema ?? {})
  const array = random.find(listArrays(value))
  array?.push(...structuredClone(array))
  return requestWith({ random, harvest, operation }, callers, Buffer.from(JSON.stringify(value)))
}

function listArrays(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(listArrays)
  return Array.isArray(value) && value.length > 0 ? [value, ...inside] : inside
}
