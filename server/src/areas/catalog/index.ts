import type { Area } from '../../platform/operation.ts'

export const catalog: Area = {
  name: 'Catalog',
  description: 'The document that fills what the rest of the API only reads.',
  operations: [],
}
