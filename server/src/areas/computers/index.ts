import type { Area } from '../../platform/operation.ts'
import { computerEffective } from './effective/index.ts'
import { computerVariables } from './variables/index.ts'

export const computers: Area = {
  name: 'Computers',
  description: 'The managed computers: what they are, where they belong and what holds for them.',
  operations: [...computerEffective, ...computerVariables],
}
