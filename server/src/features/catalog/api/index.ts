import type { AnyOperation } from '../../../platform/operation.ts'
import { applyCatalog } from './apply-catalog.ts'
import { getCatalog } from './get-catalog.ts'
import { planCatalog } from './plan-catalog.ts'

export const catalogApi: readonly AnyOperation[] = [getCatalog, planCatalog, applyCatalog]
