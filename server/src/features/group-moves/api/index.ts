import type { AnyOperation } from '../../../platform/operation.ts'
import { moveGroup } from './move-group.ts'

export const groupMovesApi: readonly AnyOperation[] = [moveGroup]
