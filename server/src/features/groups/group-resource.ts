import type { AnyOperation } from '../../platform/operation.ts'
import { getGroup } from './api/get-group.ts'

/** The read whose ETag is the version of a group, for operations of other features that change it. */
export const groupResource: AnyOperation = getGroup
