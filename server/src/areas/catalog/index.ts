import type { Area } from '../../platform/operation.ts'
import { applyCatalog } from './apply-catalog.ts'
import { getCatalog } from './get-catalog.ts'
import { planCatalog } from './plan-catalog.ts'

export const catalog: Area = {
  name: 'Catalog',
  description: 'The document that fills what the rest of the API only reads.',
  operations: [getCatalog, planCatalog, applyCatalog],
}
