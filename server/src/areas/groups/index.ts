import type { Area } from '../../platform/operation.ts'
import { groupDistribution } from './distribution/index.ts'
import { groupVariables } from './variables/index.ts'

export const groups: Area = {
  name: 'Deployment Groups',
  description: 'The two trees of groups, their members and what is assigned to them.',
  operations: [...groupVariables, ...groupDistribution],
}
