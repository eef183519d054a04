import type { AnyOperation } from '../../../platform/operation.ts'
import { applyCatalog } from './apply-catalog.ts'
import { applyDesiredState } from './desired-state/apply-desired-state.ts'
import { getDesiredState } from './desired-state/get-desired-state.ts'
import { planDesiredState } from './desired-state/plan-desired-state.ts'
import { getCatalog } from './get-catalog.ts'
import { planCatalog } from './plan-catalog.ts'

export const catalogApi: readonly AnyOperation[] = [
  getCatalog,
  planCatalog,
  applyCatalog,
  getDesiredState,
  planDesiredState,
  applyDesiredState,
]
