import type { AnyOperation } from '../../../platform/operation.ts'
import { listDecisions } from './list-decisions.ts'

export const decisionsApi: readonly AnyOperation[] = [listDecisions]
