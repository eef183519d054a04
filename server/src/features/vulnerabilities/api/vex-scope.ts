import { invalidPart } from '../../../platform/validation.ts'
import type { ExceptionScope } from '../exceptions/exception-rows.ts'

export function requireOneScope({ groupId, computerId }: ExceptionScope, part: 'query' | 'body'): void {
  if (groupId !== undefined && computerId !== undefined)
    throw invalidPart(part, 'computerId', 'cannot be given together with groupId')
}
